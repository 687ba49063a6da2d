package dev.once.examples.pipeline;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.s3.S3EventStore;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.S3Client;

/** Compares what the clients were told, the log, and the state of every sink. */
record Verification(Environment environment, Tally tally) {
  static Verification of(Environment environment, Tally tally) {
    return new Verification(environment, tally);
  }

  Outcome outcome(List<Part> killed, DoubleSupplier seconds) throws Exception {
    try (HikariDataSource database = environment.openDatabase();
        S3Client s3 = environment.openS3()) {
      S3EventStore store = environment.store(s3, database);
      LogContent log = LogContent.read(store.log());
      StatusTables tables = new StatusTables(database, environment.schema());
      List<SinkResult> sinks =
          List.of(
              GraphSink.check(environment.graph(), log),
              TypeGraphSink.check(database, log),
              SearchSink.check(environment.search(), log));
      return new Outcome(
          tally,
          log.events().size(),
          missing(log),
          givenUp(tables.registry()),
          sinks,
          killed.stream().collect(Collectors.toMap(it -> it.role().text(), Part::kills)),
          seconds.getAsDouble());
    }
  }

  /** Returns how many commands are not in the log where a client was told that they are. */
  private long missing(LogContent log) {
    Map<String, Long> sequences =
        log.events().stream().collect(Collectors.toMap(it -> it.id(), it -> it.sequence()));
    return tally.acknowledged().entrySet().stream()
        .filter(it -> !it.getValue().equals(sequences.get(it.getKey())))
        .count();
  }

  private static long givenUp(Map<String, Map<String, Long>> registry) {
    return registry.values().stream()
        .mapToLong(it -> it.getOrDefault("skipped", 0L) + it.getOrDefault("dead", 0L))
        .sum();
  }
}
