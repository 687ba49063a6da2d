package dev.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Keys that are owned by a separate process, which is paused or killed between its claim and its
 * effect, while another caller claims them. All contestants are tested at the same time.
 */
final class OwnerTrial implements AutoCloseable {
  private static final Duration START_PATIENCE = Duration.ofMinutes(1);

  /** How long a caller that does not know about leases retries. */
  private static final Duration PATIENCE = Trial.LEASE.plusSeconds(3);

  private final ServerAddresses places;
  private final Trial trial;
  private final List<Contestant> contestants;
  private final List<String> keys;
  private final Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  OwnerTrial(ServerAddresses places, Trial trial, int keys) throws IOException {
    this.places = places;
    this.trial = trial;
    this.contestants = trial.owners();
    this.keys = Stream.generate(Sample::newKey).limit(keys).toList();
    this.folder = Files.createTempDirectory("once-bench-");
  }

  List<TrialResult> kill() throws Exception {
    try (JavaProcess owner = start()) {
      awaitLines(owner, Owner.OWNS);
    }
    List<Successor> successors = successors();
    List<TrialResult> trialResults = new ArrayList<>();
    for (Successor successor : successors) {
      List<Reply> told = successor.told(PATIENCE.multipliedBy(2));
      String story = Successor.story(told);
      trialResults.add(trialResult("owner killed", successor.contestant(), told, List.of(), story));
    }
    return trialResults;
  }

  List<TrialResult> pause() throws Exception {
    try (JavaProcess owner = start()) {
      awaitLines(owner, Owner.OWNS);
      owner.pause();
      List<Successor> successors = successors();
      List<String> meanwhile = new ArrayList<>();
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      for (Successor successor : successors) {
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        meanwhile.add(Successor.story(successor.told(left)));
      }
      Files.createFile(go());
      owner.resume();
      awaitLines(owner, "");
      List<TrialResult> trialResults = new ArrayList<>();
      for (int i = 0; i < successors.size(); i++) {
        trialResults.add(paused(successors.get(i), meanwhile.get(i), owner.said()));
      }
      return trialResults;
    }
  }

  private TrialResult paused(Successor successor, String meanwhile, String said) throws Exception {
    Contestant contestant = successor.contestant();
    boolean refused = said.contains("\n" + Owner.line(contestant, keys.get(0), "refused"));
    return trialResult(
        "owner paused beyond its lease",
        contestant,
        successor.told(PATIENCE),
        refused ? List.of() : List.of(new Reply.Executed(Owner.ANSWER)),
        meanwhile + (refused ? "; the owner is refused" : "; the owner goes on"));
  }

  /**
   * Compares the replies with the reply to a later caller.
   *
   * @param told replies to the successor, key by key
   * @param owner the reply to the owner about each key, unless it was refused
   */
  private TrialResult trialResult(
      String situation, Contestant contestant, List<Reply> told, List<Reply> owner, String story)
      throws Exception {
    List<String> own = keys.stream().map(it -> Owner.key(contestant, it)).toList();
    Client later = new Client(contestant, trial.effects(), Duration.ZERO);
    TrialResult trialResult =
        new TrialResult(situation, contestant, trial.effects().counts(own), 0, 0, story);
    for (int i = 0; i < keys.size(); i++) {
      List<Reply> replies = new ArrayList<>(owner);
      replies.add(told.get(i));
      trialResult = trialResult.plus(Answers.of(replies, later.ask(own.get(i), "later")));
    }
    return trialResult;
  }

  private JavaProcess start() throws IOException {
    return Owner.start(places, go(), keys);
  }

  private Path go() {
    return folder.resolve("go");
  }

  private List<Successor> successors() {
    List<Successor> successors = new ArrayList<>();
    for (Contestant contestant : contestants) {
      Client client = new Client(contestant, trial.effects(), PATIENCE);
      List<Future<Reply>> asked = new ArrayList<>();
      for (String key : keys) {
        String own = Owner.key(contestant, key);
        asked.add(threads.submit(() -> client.ask(own, Successor.ANSWER)));
      }
      successors.add(new Successor(contestant, asked));
    }
    return successors;
  }

  /** Waits until the process has printed a line with this start for each key of each contestant. */
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
  public void close() throws IOException {
    threads.shutdownNow();
    Files.deleteIfExists(go());
    Files.delete(folder);
  }
}
