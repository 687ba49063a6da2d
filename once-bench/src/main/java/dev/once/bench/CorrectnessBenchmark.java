package dev.once.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Counts lost, duplicate and wrong results of every contestant: when callers race for a key, and
 * when the owner of a key is paused or killed.
 */
record CorrectnessBenchmark(KeyTrial trial, Table table) {
  private static final int RACED_KEYS_PER_ROUND = 25;
  private static final int RACING_CALLERS = 8;
  private static final int OWNED_KEYS = 3;

  static Report run(Session session) throws Exception {
    int racedKeys = RACED_KEYS_PER_ROUND * session.settings().rounds();
    String redis = session.servers().redis().uri();
    Table table =
        new Table(
            "What becomes of a key",
            "situation | contestant | keys | executions per key, worst | lost | duplicates"
                + " | wrong answers | callers without an answer | what happened");
    try (BenchDatabase database = session.databaseOfOnce("correctness");
        KeyTrial trial =
            new KeyTrial(() -> new BenchDatabase(database.source(), KeyTrial.CONNECTIONS), redis)) {
      trial.createTables();
      CorrectnessBenchmark benchmark = new CorrectnessBenchmark(trial, table);
      for (Contestant<IdempotentReceiver> contestant : trial.contestants()) {
        session.say("correctness, callers at once: " + contestant.name());
        benchmark.race(contestant, Sample.newKeys(racedKeys));
      }
      session.say("correctness: an owner that is paused");
      try (OwnerTrial owner = new OwnerTrial(trial, database, redis, OWNED_KEYS)) {
        benchmark.addRows("owner paused beyond its lease", owner.pause());
      }
      session.say("correctness: an owner that is killed");
      try (OwnerTrial owner = new OwnerTrial(trial, database, redis, OWNED_KEYS)) {
        benchmark.addRows("owner killed", owner.kill());
      }
    }
    return new Report(
        "Leases of %d s; %d keys per contestant in a race, %d whose owner is paused or killed. %s."
            .formatted(KeyTrial.LEASE.toSeconds(), racedKeys, OWNED_KEYS, Machine.describe()),
        List.of(table));
  }

  private void race(Contestant<IdempotentReceiver> contestant, List<String> keys) throws Exception {
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
                return trial.call(contestant, key, answer);
              });
        }
        List<Reply> ofKey = new ArrayList<>();
        for (Future<Reply> call : threads.invokeAll(callers)) {
          ofKey.add(call.get());
        }
        replies.add(ofKey);
      }
    } finally {
      threads.shutdownNow();
    }
    addRows(
        "%d callers at once".formatted(RACING_CALLERS),
        List.of(new OwnerTrial.Result(contestant, keys, replies, "")));
  }

  private void addRows(String situation, List<OwnerTrial.Result> results) throws Exception {
    for (OwnerTrial.Result result : results) {
      addRow(situation, result);
    }
  }

  /** Compares the replies with the final answer, which a later caller gets. */
  private void addRow(String situation, OwnerTrial.Result result) throws Exception {
    Contestant<IdempotentReceiver> contestant = result.contestant();
    List<String> keys = result.keys();
    List<Long> executions = trial.executions(keys);
    long lost = executions.stream().filter(it -> it == 0).count();
    long duplicates = executions.stream().mapToLong(it -> Math.max(0, it - 1)).sum();
    long wrong = 0;
    long silent = 0;
    for (int i = 0; i < keys.size(); i++) {
      Reply later = contestant.work().call(keys.get(i), fence -> "later");
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
        Collections.max(executions),
        lost,
        duplicates,
        wrong,
        silent,
        result.happened());
    if (contestant.isOnce() && trial.contestants().contains(contestant)) {
      table.add(
          Finding.none(
              "%s, lost + duplicates + wrong answers, %s".formatted(contestant.name(), situation),
              lost + duplicates + wrong));
    }
  }
}
