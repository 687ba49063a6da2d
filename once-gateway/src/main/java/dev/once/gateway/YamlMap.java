package dev.once.gateway;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A mapping of a settings file, read strictly: every name must be known, every name comes once, and
 * every value has the type that its name needs. Errors say where.
 */
final class YamlMap {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(KiB|MiB|GiB)?");

  private final YamlPlace place;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Node> names = new LinkedHashMap<>();
  private final TreeSet<String> known = new TreeSet<>();

  private YamlMap(YamlPlace place, MappingNode node) {
    this.place = place;
    for (NodeTuple tuple : node.getValue()) {
      YamlPlace at = place.at(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        throw at.error("a name must be plain text");
      }
      if (values.put(name.getValue(), tuple.getValueNode()) != null) {
        throw at.error(name.getValue() + " is there twice: leave out one of them");
      }
      names.put(name.getValue(), name);
    }
  }

  /** Reads a mapping; {@code read} asks for all names that it knows. */
  static <T> T read(YamlPlace place, Node node, Function<YamlMap, T> read) {
    YamlPlace at = place.at(node);
    if (!(node instanceof MappingNode mapping)) {
      throw at.error("here must be names with values, as in name: value");
    }
    YamlMap map = new YamlMap(at, mapping);
    T value = at.explain(() -> read.apply(map));
    map.requireKnown();
    return value;
  }

  /** Refuses names that nothing has asked for. */
  void requireKnown() {
    names.forEach(
        (name, node) -> {
          if (!known.contains(name)) {
            throw place
                .at(node)
                .error(name + " is not known here: the names are " + String.join(", ", known));
          }
        });
  }

  private @Nullable Node node(String name) {
    known.add(name);
    return values.get(name);
  }

  boolean has(String name) {
    return node(name) != null;
  }

  SettingsException missing(String name) {
    return place.error(name + " is missing");
  }

  /** Returns what {@code parse} makes of a value; its errors get the place of the value. */
  <T> Optional<T> value(String name, Function<String, T> parse) {
    Node node = node(name);
    if (node == null) {
      return Optional.empty();
    }
    YamlPlace at = place.at(node);
    return Optional.of(at.explain(() -> parse.apply(scalar(name, at, node))));
  }

  private static String scalar(String name, YamlPlace at, Node node) {
    if (node instanceof ScalarNode it && !it.getValue().isEmpty()) {
      return it.getValue();
    }
    throw at.error(name + " must have one value");
  }

  Optional<String> text(String name) {
    return value(name, it -> it);
  }

  String requireText(String name) {
    return text(name).orElseThrow(() -> missing(name));
  }

  int number(String name, int otherwise, int min, int max) {
    return value(name, it -> number(name, it, min, max)).orElse(otherwise);
  }

  private static int number(String name, String text, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number out of range.
    }
    throw new SettingsException(
        "%s must be a number from %d to %d, got %s".formatted(name, min, max, text));
  }

  boolean isTrue(String name, boolean otherwise) {
    return value(name, it -> choice(name, it, Map.of("true", true, "false", false)))
        .orElse(otherwise);
  }

  <T> Optional<T> choice(String name, Map<String, T> choices) {
    return value(name, it -> choice(name, it, choices));
  }

  private static <T> T choice(String name, String text, Map<String, T> choices) {
    T chosen = choices.get(text);
    if (chosen == null) {
      throw new SettingsException(
          "%s must be one of %s, got %s"
              .formatted(name, String.join(", ", new TreeSet<>(choices.keySet())), text));
    }
    return chosen;
  }

  Optional<Duration> duration(String name) {
    return value(name, it -> duration(name, it));
  }

  private static Duration duration(String name, String text) {
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) {
      throw new SettingsException(
          name + " must be a time such as 500ms, 30s, 5m, 24h or 7d, got " + text);
    }
    long amount = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /** Returns a number of bytes that an array can have. */
  Optional<Integer> bytes(String name) {
    return value(
        name,
        it -> {
          long bytes = size(name, it);
          if (bytes > Integer.MAX_VALUE) {
            throw new SettingsException(name + " must be less than 2GiB, got " + it);
          }
          return (int) bytes;
        });
  }

  /** Returns a number of bytes. */
  Optional<Long> size(String name) {
    return value(name, it -> size(name, it));
  }

  private static long size(String name, String text) {
    Matcher parts = BYTES.matcher(text);
    if (!parts.matches()) {
      throw new SettingsException(
          name + " must be a number of bytes such as 65536, 64KiB, 1MiB or 1GiB, got " + text);
    }
    String unit = parts.group(2) == null ? "" : parts.group(2);
    long bytes = Long.parseLong(parts.group(1));
    return switch (unit) {
      case "KiB" -> bytes << 10;
      case "MiB" -> bytes << 20;
      case "GiB" -> bytes << 30;
      default -> bytes;
    };
  }

  /** Returns a file, relative to the folder of the settings. */
  Optional<Path> file(String name) {
    return value(name, place::file);
  }

  Optional<List<Path>> files(String name) {
    return values(name, place::file);
  }

  Optional<URI> uri(String name) {
    return value(name, URI::create);
  }

  <T> Optional<T> map(String name, Function<YamlMap, T> read) {
    Node node = node(name);
    return node == null ? Optional.empty() : Optional.of(read(place, node, read));
  }

  /** Returns the mappings of a list; none if it is not there. */
  <T> List<T> maps(String name, Function<YamlMap, T> read) {
    List<T> all = new ArrayList<>();
    items(name).forEach(it -> all.add(read(place, it, read)));
    return all;
  }

  /** Returns the values of a list; empty if it is not there. */
  <T> Optional<List<T>> values(String name, Function<String, T> parse) {
    if (!has(name)) {
      return Optional.empty();
    }
    List<T> all = new ArrayList<>();
    for (Node item : items(name)) {
      YamlPlace at = place.at(item);
      all.add(at.explain(() -> parse.apply(scalar(name, at, item))));
    }
    return Optional.of(all);
  }

  Optional<List<Integer>> statuses(String name) {
    return values(name, it -> number("status", it, 200, 599));
  }

  private List<Node> items(String name) {
    Node node = node(name);
    if (node == null) {
      return List.of();
    }
    if (!(node instanceof SequenceNode list)) {
      throw place.at(node).error(name + " must be a list, as in\n  - first\n  - second");
    }
    return list.getValue();
  }

  /** Returns names of an enum as a file spells them. */
  static <E extends Enum<E>> Map<String, E> words(E[] all) {
    Map<String, E> words = new LinkedHashMap<>();
    for (E it : all) {
      words.put(it.name().toLowerCase(Locale.ROOT), it);
    }
    return words;
  }
}
