package dev.once.bench;

import dev.once.jdbc.JdbcSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Counts lost, duplicate and wrong results of every contestant: when callers race for a key, and
 * when the owner of a key is paused or killed.
 */
record CorrectnessBenchmark(Session session, Trial trial, Table table) {
  private static final int RACED_KEYS_PER_ROUND = 25;
  private static final int RACING_CALLERS = 8;
  private static final int OWNED_KEYS = 3;

  static Report run(Session session) throws Exception {
    ServerAddresses servers =
        new ServerAddresses(
            session.servers().postgres().newDatabase("correctness"),
            session.servers().redis().uri());
    JdbcSchema.apply(servers.database());
    int racedKeys = RACED_KEYS_PER_ROUND * session.settings().rounds();
    try (Trial trial = new Trial(servers)) {
      trial.effects().createTables();
      Table table =
          new Table(
              "What becomes of a key",
              "situation | contestant | keys | executions per key, worst | lost | duplicates"
                  + " | wrong answers | callers without an answer | what happened");
      CorrectnessBenchmark benchmark = new CorrectnessBenchmark(session, trial, table);
      for (Contestant contestant : trial.contestants()) {
        session.say("correctness, callers at once: " + contestant.name());
        benchmark.race(contestant, Sample.newKeys(racedKeys));
      }
      benchmark.interruptOwner(servers);
      return new Report(
          "Leases of %d s; %d keys per contestant in a race, %d whose owner is paused or killed. %s."
              .formatted(Trial.LEASE.toSeconds(), racedKeys, OWNED_KEYS, Machine.describe()),
          List.of(table));
    }
  }

  /** Several callers claim the same key at the same moment. */
  private void race(Contestant contestant, List<String> keys) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(RACING_CALLERS);
    List<List<Reply>> replies = new ArrayList<>();
    try {
      for (String key : keys) {
        CyclicBarrier start = new CyclicBarrier(RACING_CALLERS);
        List<Callable<Reply>> callers = new ArrayList<>();
        for (int i = 0; i < RACING_CALLERS; i++) {
          String answer = "caller " + i;
          callers.add(
              () -> {
                start.await();
                return trial.call(contestant, key, answer, Trial.PATIENCE);
              });
        }
        replies.add(resultsOf(threads.invokeAll(callers)));
      }
    } finally {
      threads.shutdownNow();
    }
    String situation = "%d callers at once".formatted(RACING_CALLERS);
    addRow(new Trial.Result(situation, contestant, keys, replies, ""));
  }

  private static List<Reply> resultsOf(List<Future<Reply>> calls) throws Exception {
    List<Reply> results = new ArrayList<>();
    for (Future<Reply> call : calls) {
      results.add(call.get());
    }
    return results;
  }

  private void interruptOwner(ServerAddresses servers) throws Exception {
    session.say("correctness: an owner that is paused");
    try (OwnerTrial owners = new OwnerTrial(servers, trial, OWNED_KEYS)) {
      addRows(owners.pause());
    }
    session.say("correctness: an owner that is killed");
    try (OwnerTrial owners = new OwnerTrial(servers, trial, OWNED_KEYS)) {
      addRows(owners.kill());
    }
  }

  private void addRows(List<Trial.Result> results) throws Exception {
    for (Trial.Result result : results) {
      addRow(result);
    }
  }

  /** Compares the replies with the final answer, which a later caller gets. */
  private void addRow(Trial.Result result) throws Exception {
    String situation = result.situation();
    Contestant contestant = result.contestant();
    List<String> keys = result.keys();
    Map<String, Long> executions = trial.effects().counts(keys);
    long lost = executions.values().stream().filter(it -> it == 0).count();
    long duplicates = executions.values().stream().mapToLong(it -> Math.max(0, it - 1)).sum();
    long wrong = 0;
    long silent = 0;
    for (int i = 0; i < keys.size(); i++) {
      Reply later = contestant.call(keys.get(i), fence -> "later");
      List<Reply> replies = result.replies().get(i);
      List<String> answers = replies.stream().flatMap(it -> it.answer().stream()).toList();
      // If the contestant keeps no answer, the first answer that a caller got is the final one.
      String last = later.answer().or(() -> answers.stream().findFirst()).orElse("");
      wrong += answers.stream().filter(it -> !it.equals(last)).count();
      silent += replies.size() - answers.size();
    }
    table.row(
        situation,
        contestant.name(),
        keys.size(),
        Collections.max(executions.values()),
        lost,
        duplicates,
        wrong,
        silent,
        result.happened());
    if (contestant.role() == Contestant.Role.ONCE) {
      table.add(
          Finding.none(
              "%s, lost + duplicates + wrong answers, %s".formatted(contestant.name(), situation),
              lost + duplicates + wrong));
    }
  }
}
