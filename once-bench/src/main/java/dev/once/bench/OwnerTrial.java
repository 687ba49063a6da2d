package dev.once.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keys that are owned by a separate process, which is paused or killed between its claim and its
 * effect, while another caller claims them. All contestants are tested at the same time.
 */
final class OwnerTrial implements AutoCloseable {
  private static final Duration START_PATIENCE = Duration.ofMinutes(1);

  private final ServerAddresses servers;
  private final Trial trial;
  private final List<Contestant> contestants;
  private final List<String> keys;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  OwnerTrial(ServerAddresses servers, Trial trial, int keys) {
    this.servers = servers;
    this.trial = trial;
    this.contestants = trial.owners();
    this.keys = Sample.newKeys(keys);
  }

  /** Another caller's calls for the keys of one contestant. */
  private record Successor(Contestant contestant, List<String> keys, List<Future<Reply>> calls) {
    /** Returns the reply about each key; busy if there is none within {@code patience}. */
    List<Reply> replies(Duration patience) throws Exception {
      long deadline = System.nanoTime() + patience.toNanos();
      List<Reply> replies = new ArrayList<>();
      for (Future<Reply> call : calls) {
        try {
          replies.add(call.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
          replies.add(new Reply.Busy());
        }
      }
      return replies;
    }

    /** Describes the replies in words. */
    String describe(Duration patience) throws Exception {
      List<Reply> replies = replies(patience);
      if (replies.stream().allMatch(Reply.Executed.class::isInstance)) {
        return "the next caller executes";
      }
      if (replies.stream().allMatch(Reply.Known.class::isInstance)) {
        return "the next caller learns that it is done";
      }
      return replies.stream().allMatch(Reply.Busy.class::isInstance)
          ? "the next caller waits"
          : "it differs from key to key";
    }
  }

  List<Trial.Result> kill() throws Exception {
    try (JavaProcess owner = start()) {
      awaitLines(owner, Owner.OWNS);
    }
    Duration patience = Trial.PATIENCE.multipliedBy(2);
    List<Trial.Result> results = new ArrayList<>();
    for (Successor it : callAgain()) {
      List<List<Reply>> replies = it.replies(patience).stream().map(List::of).toList();
      String happened = it.describe(patience);
      results.add(new Trial.Result("owner killed", it.contestant, it.keys, replies, happened));
    }
    return results;
  }

  List<Trial.Result> pause() throws Exception {
    try (JavaProcess owner = start()) {
      awaitLines(owner, Owner.OWNS);
      owner.signal("STOP");
      List<Successor> successors = callAgain();
      List<String> meanwhile = new ArrayList<>();
      long deadline = System.nanoTime() + Trial.PATIENCE.toNanos();
      for (Successor it : successors) {
        meanwhile.add(it.describe(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
      }
      owner.send(Owner.GO);
      owner.signal("CONT");
      awaitLines(owner, Owner.ENDED);
      List<Trial.Result> results = new ArrayList<>();
      for (int i = 0; i < successors.size(); i++) {
        results.add(paused(successors.get(i), meanwhile.get(i), owner.output()));
      }
      return results;
    }
  }

  private Trial.Result paused(Successor it, String meanwhile, String output) throws Exception {
    boolean refused = output.contains(Owner.refusal(it.contestant, keys.get(0)));
    List<List<Reply>> replies = new ArrayList<>();
    for (Reply reply : it.replies(Trial.PATIENCE)) {
      replies.add(refused ? List.of(reply) : List.of(new Reply.Executed(Owner.ANSWER), reply));
    }
    return new Trial.Result(
        "owner paused beyond its lease",
        it.contestant,
        it.keys,
        replies,
        meanwhile + (refused ? "; the owner is refused" : "; the owner goes on"));
  }

  private JavaProcess start() throws IOException {
    return JavaProcess.start(Owner.class, servers, keys);
  }

  /** Waits until the process has printed a line with this start for each key of each contestant. */
  private void awaitLines(JavaProcess owner, String start) throws Exception {
    long expected = (long) contestants.size() * keys.size();
    owner.await(
        START_PATIENCE,
        () -> owner.output().lines().filter(it -> it.startsWith(start)).count() == expected);
  }

  /** Lets another caller claim the keys of all contestants. */
  private List<Successor> callAgain() {
    List<Successor> successors = new ArrayList<>();
    for (Contestant it : contestants) {
      List<String> own = keys.stream().map(key -> Owner.key(it, key)).toList();
      List<Future<Reply>> calls = new ArrayList<>();
      for (String key : own) {
        calls.add(threads.submit(() -> trial.call(it, key, "successor", Trial.PATIENCE)));
      }
      successors.add(new Successor(it, own, calls));
    }
    return successors;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
