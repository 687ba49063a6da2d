package dev.once.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Rights that an application needs on one object. The list is the one of the documentation, which a
 * test compares with the resource.
 *
 * @param kind {@code table}, {@code schema} or {@code sequence}
 * @param name {@code ${schema}} in it is the schema of events
 */
record Right(SchemaModule module, String kind, String name, List<String> privileges) {
  private static final String RESOURCE = "rights.txt";

  /** Reads the rights for all modules. */
  static List<Right> all() {
    try (InputStream in = Right.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new AssertionError("the program lacks " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(it -> !it.isBlank() && !it.startsWith("#"))
          .map(Right::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Right parse(String line) {
    String[] words = line.split(" ", -1);
    return new Right(
        SchemaModule.valueOf(words[0].toUpperCase(Locale.ROOT)),
        words[1],
        words[2],
        List.of(words[3].split(",", -1)));
  }

  String nameIn(String eventsSchema) {
    return name.replace("${schema}", eventsSchema);
  }

  /** Returns the statement that grants some of the privileges. */
  String grant(List<String> missing, String eventsSchema, String role) {
    String object = kind.equals("table") ? "" : kind.toUpperCase(Locale.ROOT) + " ";
    return "GRANT %s ON %s%s TO %s"
        .formatted(String.join(", ", missing), object, nameIn(eventsSchema), role);
  }
}
