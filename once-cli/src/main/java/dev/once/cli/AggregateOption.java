package dev.once.cli;

import dev.once.events.Aggregate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** An aggregate: type and id as two words, or as one with a slash between them. */
final class AggregateOption {
  @Option(names = "--aggregate", arity = "1..2")
  private @Nullable List<String> words;

  Optional<Aggregate> aggregate() {
    List<String> given = words;
    if (given == null) {
      return Optional.empty();
    }
    String[] parts = given.size() == 1 ? given.get(0).split("/", 2) : given.toArray(new String[0]);
    if (parts.length != 2) {
      throw new Misuse("--aggregate must be <type>/<id>, got " + String.join(" ", given));
    }
    return Optional.of(new Aggregate(parts[0], parts[1]));
  }
}
