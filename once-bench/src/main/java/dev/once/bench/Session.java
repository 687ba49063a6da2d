package dev.once.bench;

import dev.once.jdbc.JdbcSchema;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** One run of a benchmark: its settings, its servers, and the listener to its progress. */
record Session(Settings settings, Servers servers, Consumer<String> progress) {
  /** A call that callers repeat while they are measured. Thread-safe. */
  interface Call {
    void perform() throws Exception;
  }

  /** What is done with something, while it is measured or before. Thread-safe. */
  interface Action<T> {
    void perform(T on) throws Exception;
  }

  void say(String line) {
    progress.accept(line);
  }

  /** Creates an empty database, with the pool that all contestants share. */
  BenchDatabase database(String name) {
    return new BenchDatabase(servers.postgres().newDatabase(name), settings.connections());
  }

  /** Creates a database with the tables of Once's record store. */
  BenchDatabase databaseOfOnce(String name) {
    BenchDatabase database = database(name);
    JdbcSchema.apply(database.pool());
    return database;
  }

  Duration round() {
    return Duration.ofMillis(Math.round(1000 * settings.seconds()));
  }

  /** Returns the numbers of callers for work on which more than {@code most} add no information. */
  List<Integer> callersUpTo(int most) {
    return settings.callers().stream().map(it -> Math.min(it, most)).distinct().toList();
  }

  /** Returns a series in which {@code callers} repeat the same call until a round is over. */
  Series series(String name, int callers, Call call) {
    return series(name, callers, List.of(), call);
  }

  Series series(String name, int callers, List<CpuClock> clocks, Call call) {
    return new Series(name, () -> new Callers(callers).repeat(call, round()), clocks);
  }

  /** Returns a series of calls to a contestant, with its note. */
  Series series(Contestant<?> contestant, int callers, List<CpuClock> clocks, Call call) {
    return series(contestant.name(), callers, clocks, call).noting(contestant.note());
  }

  String describe() {
    return "%s Pool of %d connections, fsync on."
        .formatted(describeRounds(), settings.connections());
  }

  /** Describes what {@link SpeedTable#compareWarm} does before it measures. */
  String describeWarmUp(int rounds, List<Integer> callers) {
    return "Warm-up: %.1f s per contestant with %d callers, then %d rounds with each number of callers."
        .formatted(
            rounds * settings.seconds(), Collections.max(callers), SpeedTable.Rounds.SHORT.warmUps);
  }

  String describeRounds() {
    return "Median of %d rounds of %.1f s in turns. %s, shared by callers and server."
        .formatted(settings.rounds(), settings.seconds(), Machine.describe());
  }
}
