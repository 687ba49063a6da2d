package dev.once.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names and values that a settings file may have. {@link SettingsFile} is asked for them: it
 * refuses a wrong name with a list of the right ones, and a wrong value with what it may be.
 *
 * <p>A name has dots between mappings and brackets after a list, as in {@code routes[].path}.
 */
final class KnownSettings {
  private static final String WRONG = "zzz";
  private static final Pattern NAMES =
      Pattern.compile(WRONG + " is not known here: the names are (.*)");
  private static final Pattern NUMBERS =
      Pattern.compile("must be a number from (\\d+) to (\\d+), got");
  private static final Pattern CHOICES = Pattern.compile("must be one of (.*), got");
  private static final String UPSTREAM = "'http://127.0.0.1:9'";

  /** What a mapping needs before it can be used. */
  private static final Map<String, Map<String, String>> EXAMPLES =
      Map.of(
          "", Map.of("upstream", "{url: " + UPSTREAM + "}"),
          "upstream", Map.of("url", UPSTREAM),
          "upstreams[]", Map.of("url", UPSTREAM, "path", "/a"),
          "listen.tls", Map.of("keyStore", "store.p12"),
          "routes[]", Map.of("method", "POST", "path", "/a"),
          "webhooks[]",
              Map.of("sender", "stripe", "tenant", "a", "secretFiles", "[a.secret]", "to", "/a"),
          "authentication.jwt",
              Map.of(
                  "jwks", "'https://a/keys'",
                  "algorithms", "[RS256]",
                  "issuer", "a",
                  "audience", "b"),
          "authentication.apiKeys[]",
              Map.of("sha256", "'" + "0".repeat(64) + "'", "tenant", "a", "caller", "b"),
          "authentication.trustedHeaders",
              Map.of("peers", "[127.0.0.1]", "tenant", "T", "caller", "C"));

  private final Path file;

  /** Uses a file that may be written. */
  KnownSettings(Path file) {
    this.file = file;
  }

  /** Returns the values of each setting, in words of a page. */
  Map<String, String> all() {
    Map<String, String> all = new TreeMap<>();
    add(all, "");
    return all;
  }

  private void add(Map<String, String> all, String mapping) {
    for (String name : names(mapping)) {
      String path = mapping.isEmpty() ? name : mapping + "." + name;
      String error = error(path, "'?'");
      boolean isList = error.contains("must be a list");
      String ofItem = isList ? error(path, "['?']") : error;
      String full = isList ? path + "[]" : path;
      if (ofItem.contains("here must be names")) {
        add(all, full);
      } else {
        all.put(full, (isList ? "list of " : "") + words(ofItem));
      }
    }
  }

  private List<String> names(String mapping) {
    Map<String, String> content = example(mapping);
    content.put(WRONG, "1");
    String error = read(wrap(mapping, content)).orElse("nothing is wrong");
    Matcher names = NAMES.matcher(error);
    if (!names.find()) {
      throw new AssertionError("KnownSettings needs an example of " + mapping + ": " + error);
    }
    return List.of(names.group(1).split(", ", -1));
  }

  private static String words(String error) {
    Matcher numbers = NUMBERS.matcher(error);
    Matcher choices = CHOICES.matcher(error);
    if (numbers.find()) {
      return numbers.group(1) + " to " + numbers.group(2);
    } else if (choices.find()) {
      return "`" + choices.group(1).replace(", ", "`, `") + "`";
    } else if (error.contains("must be a time")) {
      return "time";
    }
    return error.contains("must be a number of bytes") ? "size" : "text";
  }

  /** Returns what is said of a value; of one that is accepted, the wrong name is refused. */
  private String error(String path, String value) {
    Map<String, String> root = wrap(path, value);
    root.put(WRONG, "1");
    return read(root).orElseThrow();
  }

  private Optional<String> read(Map<String, String> root) {
    try {
      var unused = SettingsFile.read(write(root));
      return Optional.empty();
    } catch (SettingsException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Returns settings that have one value beside what they need; without it if it is empty. */
  GatewaySettings with(String path, Optional<String> value) {
    String mapping = mapping(path);
    Map<String, String> content = example(mapping);
    value.ifPresent(it -> content.put(name(path), it));
    return SettingsFile.read(write(wrap(mapping, content)));
  }

  /** Returns whether a file that lacks the setting is refused because of that. */
  boolean isRequired(String path) {
    String mapping = mapping(path);
    Map<String, String> content = example(mapping);
    content.remove(name(path));
    return read(wrap(mapping, content)).filter(it -> it.contains(" is missing")).isPresent();
  }

  private Path write(Map<String, String> root) {
    try {
      return Files.writeString(file, flow(root));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> wrap(String path, String value) {
    Map<String, String> content = example(mapping(path));
    content.put(name(path), value);
    return wrap(mapping(path), content);
  }

  /** Returns the whole file around the content of a mapping. */
  private static Map<String, String> wrap(String mapping, Map<String, String> content) {
    if (mapping.isEmpty()) {
      return content;
    }
    Map<String, String> around = example(mapping(mapping));
    String value = flow(content);
    around.put(name(mapping), mapping.endsWith("[]") ? "[" + value + "]" : value);
    return wrap(mapping(mapping), around);
  }

  private static Map<String, String> example(String mapping) {
    return new LinkedHashMap<>(EXAMPLES.getOrDefault(mapping, Map.of()));
  }

  /** Returns the mapping that has a setting; empty for that around all. */
  private static String mapping(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(0, dot);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('.') + 1).replace("[]", "");
  }

  private static String flow(Map<String, String> content) {
    StringBuilder text = new StringBuilder("{");
    content.forEach((name, value) -> text.append(name).append(": ").append(value).append(", "));
    return text + "}";
  }
}
