package dev.once.gateway;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A place in a settings file, for errors.
 *
 * @param path the file
 * @param line the line, from 1 on
 * @param column the column, from 1 on
 */
record YamlPlace(Path path, int line, int column) {
  static YamlPlace startOf(Path path) {
    return new YamlPlace(path, 1, 1);
  }

  YamlPlace at(Node node) {
    return node.getStartMark().map(this::at).orElse(this);
  }

  YamlPlace at(Mark mark) {
    return new YamlPlace(path, mark.getLine() + 1, mark.getColumn() + 1);
  }

  Path file(String name) {
    return path.toAbsolutePath().resolveSibling(name).normalize();
  }

  SettingsException error(String message) {
    return new PlacedException(this + ": " + message);
  }

  /** Adds this place to errors that have none: values check themselves. */
  <T> T explain(Supplier<T> read) {
    try {
      return read.get();
    } catch (PlacedException e) {
      throw e;
    } catch (SettingsException | IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String toString() {
    return path + ":" + line + ":" + column;
  }

  private static final class PlacedException extends SettingsException {
    private static final long serialVersionUID = 1L;

    PlacedException(String message) {
      super(message);
    }
  }
}
