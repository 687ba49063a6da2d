package dev.once.cli;

import dev.once.cli.SchemaModule.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once schema print}: the scripts, for a person, for Flyway or for Liquibase. */
@Command(name = "print")
final class SchemaPrintCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final SchemaOptions options = new SchemaOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--for")
  private Tool tool = Tool.SQL;

  @Option(names = "--directory")
  private @Nullable Path directory;

  @Option(names = "--first-version")
  private @Nullable Integer firstVersion;

  private enum Tool {
    SQL,
    FLYWAY,
    LIQUIBASE
  }

  SchemaPrintCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<Script> scripts =
        options.modulesAndNeeds().stream().flatMap(it -> it.scripts().stream()).toList();
    if (tool == Tool.FLYWAY) {
      writeFlyway(scripts);
      return 0;
    }
    if (directory != null || firstVersion != null) {
      throw new Misuse("--directory and --first-version are for --for flyway");
    }
    for (Script script : scripts) {
      String text = tool == Tool.LIQUIBASE ? changeSet(script) : sql(script);
      output.print(
          session,
          text::stripTrailing,
          () -> json(script).put(tool == Tool.LIQUIBASE ? "xml" : "sql", text));
    }
    return 0;
  }

  private String sql(Script script) {
    return script.text().replace("${schema}", SchemaOptions.ofEvents(session));
  }

  private static String changeSet(Script script) {
    return """
        <changeSet id="%s" author="once">
          <sqlFile path="%s" splitStatements="false"/>
        </changeSet>
        """
        .formatted(script.name().replace('_', '-'), script.path());
  }

  /** Copies the scripts under the application's next versions. */
  private void writeFlyway(List<Script> scripts) {
    Path target = Path.of(Variables.require("--directory", text(directory)));
    int version = Integer.parseInt(Variables.require("--first-version", text(firstVersion)));
    if (version < 1) {
      throw new Misuse("--first-version must be 1 or more, got " + version);
    }
    for (Script script : scripts) {
      Path file = target.resolve("V%d__%s.sql".formatted(version++, script.name()));
      write(file, script.text());
      output.print(session, file::toString, () -> json(script).put("file", file.toString()));
    }
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (IOException e) {
      throw new CommandException(
          "%s cannot be written: %s (check --directory and --first-version; files that exist stay as they are)"
              .formatted(file, e),
          e);
    }
  }

  private static JsonLine json(Script script) {
    return new JsonLine()
        .put("module", script.module().word())
        .put("version", script.version())
        .put("path", script.path());
  }
}
