package dev.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Keys whose owner is in a process of its own, which is paused or killed between its claim and its
 * effect, while somebody else asks for them.
 */
final class OwnerTrial implements AutoCloseable {
  private static final Duration START_PATIENCE = Duration.ofMinutes(1);

  /** How long somebody asks who does not know about leases. */
  private static final Duration PATIENCE = Trial.LEASE.plusSeconds(4);

  private final Places places;
  private final EffectRows effects;
  private final List<Contestant> contestants;
  private final List<String> keys;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  OwnerTrial(Places places, Trial trial, int keys) {
    this.places = places;
    this.effects = trial.effects();
    this.contestants = trial.owners();
    this.keys = Stream.generate(Sample::newKey).limit(keys).toList();
  }

  /** Somebody who is asking for a key. */
  private record Asked(Contestant contestant, Future<Reply> reply) {
    /** What it is told, if it is told something soon. */
    Optional<Reply> within(Duration patience) throws Exception {
      try {
        return Optional.of(reply.get(patience.toNanos(), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        return Optional.empty();
      }
    }
  }

  List<Verdict> kill() throws Exception {
    Path go = Files.createTempDirectory("once-bench-").resolve("go");
    try (JavaProcess owner = Owner.start(places, go, keys)) {
      awaitLines(owner, Owner.OWNS);
    }
    List<Asked> asked = askAll("successor");
    Map<Contestant, List<Reply>> replies = new LinkedHashMap<>();
    for (Asked it : asked) {
      Reply reply = it.within(PATIENCE.multipliedBy(2)).orElseGet(Reply.Busy::new);
      replies.computeIfAbsent(it.contestant, missing -> new ArrayList<>()).add(reply);
    }
    List<Verdict> verdicts = new ArrayList<>();
    for (Contestant contestant : contestants) {
      List<Reply> told = replies.getOrDefault(contestant, List.of());
      verdicts.add(verdict("owner killed", contestant, told, killed(told)));
    }
    return verdicts;
  }

  List<Verdict> pause() throws Exception {
    Path go = Files.createTempDirectory("once-bench-").resolve("go");
    try (JavaProcess owner = Owner.start(places, go, keys)) {
      awaitLines(owner, Owner.OWNS);
      owner.pause();
      List<Asked> asked = askAll("successor");
      Map<Contestant, List<Optional<Reply>>> meanwhile = new LinkedHashMap<>();
      for (Asked it : asked) {
        meanwhile
            .computeIfAbsent(it.contestant, missing -> new ArrayList<>())
            .add(it.within(PATIENCE));
      }
      Files.createFile(go);
      owner.resume();
      awaitLines(owner, "");
      List<Verdict> verdicts = new ArrayList<>();
      for (Contestant contestant : contestants) {
        verdicts.add(paused(contestant, owner.said(), asked, meanwhile));
      }
      return verdicts;
    }
  }

  private Verdict paused(
      Contestant contestant,
      String said,
      List<Asked> asked,
      Map<Contestant, List<Optional<Reply>>> meanwhile)
      throws Exception {
    List<Reply> told = new ArrayList<>();
    for (Asked it : asked) {
      if (it.contestant.equals(contestant)) {
        told.add(it.within(PATIENCE).orElseGet(Reply.Busy::new));
      }
    }
    List<Reply> everybody = new ArrayList<>(told);
    boolean refused = said.contains(Owner.line(contestant, keys.get(0), "refused"));
    if (!refused) {
      keys.forEach(it -> everybody.add(new Reply.Executed(Owner.ANSWER)));
    }
    List<Optional<Reply>> soon = meanwhile.getOrDefault(contestant, List.of());
    String story =
        successor(soon.get(0)) + (refused ? "; the owner is refused" : "; the owner goes on");
    return verdict("owner paused beyond its lease", contestant, everybody, story);
  }

  private Verdict verdict(
      String situation, Contestant contestant, List<Reply> replies, String story) throws Exception {
    List<String> own = keys.stream().map(it -> Owner.key(contestant, it)).toList();
    Client client = new Client(contestant, effects, Duration.ZERO);
    Map<String, Long> executions = effects.counts(own);
    long wrong = 0;
    long silent = 0;
    for (int i = 0; i < keys.size(); i++) {
      List<Reply> ofKey = new ArrayList<>();
      for (int j = i; j < replies.size(); j += keys.size()) {
        ofKey.add(replies.get(j));
      }
      Answers answers = Answers.of(ofKey, client.ask(own.get(i), "later"));
      wrong += answers.wrong();
      silent += answers.silent();
    }
    return new Verdict(situation, contestant, executions, wrong, silent, story);
  }

  private static String killed(List<Reply> replies) {
    return replies.get(0) instanceof Reply.Executed
        ? "the next caller executes"
        : replies.get(0) instanceof Reply.Known
            ? "the next caller is told that it is done"
            : "the next caller waits for ever";
  }

  private static String successor(Optional<Reply> reply) {
    if (reply.isEmpty()) {
      return "the next caller waits for the owner";
    }
    return reply.get() instanceof Reply.Executed
        ? "the next caller executes"
        : reply.get() instanceof Reply.Known
            ? "the next caller is told that it is done"
            : "the next caller is told to wait";
  }

  private List<Asked> askAll(String answer) {
    List<Asked> asked = new ArrayList<>();
    for (Contestant contestant : contestants) {
      Client client = new Client(contestant, effects, PATIENCE);
      for (String key : keys) {
        String own = Owner.key(contestant, key);
        asked.add(new Asked(contestant, threads.submit(() -> client.ask(own, answer))));
      }
    }
    return asked;
  }

  /** Waits until the process has said a line that starts so about each key of each contestant. */
  private void awaitLines(JavaProcess process, String start) throws IOException {
    long deadline = System.nanoTime() + START_PATIENCE.toNanos();
    for (Contestant contestant : contestants) {
      for (String key : keys) {
        String line = "\n" + start + Owner.line(contestant, key, "");
        while (!("\n" + process.said()).contains(line)) {
          if (!process.isAlive() || System.nanoTime() - deadline > 0) {
            throw new IllegalStateException("the owner says:\n" + process.said());
          }
          LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
