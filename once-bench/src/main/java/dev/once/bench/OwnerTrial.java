package dev.once.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keys that are owned by a separate process, which is paused or killed between its claim and its
 * effect, while another caller claims them. All contestants are tested at the same time.
 */
final class OwnerTrial implements AutoCloseable {
  /**
   * What became of some keys.
   *
   * @param replies to all callers, key by key
   * @param happened what happened, in words
   */
  record Result(
      Contestant<IdempotentReceiver> contestant,
      List<String> keys,
      List<List<Reply>> replies,
      String happened) {}

  // What the owner's process prints about a key, and what it reads.
  private static final String OWNS = "owns ";
  private static final String COMPLETED = "ended: completed ";
  private static final String REFUSED = "ended: refused ";
  private static final int GO = '!';

  private static final String ANSWER = "owner";
  private static final Duration START_PATIENCE = Duration.ofMinutes(1);
  private static final Map<Class<?>, String> WORDS =
      Map.of(
          Reply.Executed.class, "the next caller executes",
          Reply.Known.class, "the next caller learns that it is done",
          Reply.Busy.class, "the next caller waits");

  private final KeyTrial trial;
  private final List<String> keys;
  private final JavaProcess owner;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Starts the owner's process without waiting for it. */
  OwnerTrial(KeyTrial trial, BenchDatabase database, String redis, int count) throws IOException {
    this.trial = trial;
    this.keys = Sample.newKeys(count);
    List<String> arguments = Stream.concat(Stream.of(redis), keys.stream()).toList();
    this.owner = JavaProcess.start(OwnerTrial.class, database, arguments);
  }

  /** Another caller's calls for the keys of one contestant. */
  private record Successor(
      Contestant<IdempotentReceiver> contestant, List<String> keys, List<Future<Reply>> calls) {
    /** Returns the reply about each key; busy if there is none until the deadline. */
    List<Reply> replies(long deadline) throws Exception {
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

    String describe(long deadline) throws Exception {
      Set<Class<?>> kinds =
          replies(deadline).stream().map(Object::getClass).collect(Collectors.toSet());
      String mixed = "it differs from key to key";
      return kinds.size() > 1 ? mixed : WORDS.getOrDefault(kinds.iterator().next(), mixed);
    }

    /**
     * @param earlier the replies that every key's owner got
     */
    Result result(List<Reply> earlier, long deadline, String happened) throws Exception {
      List<List<Reply>> all = new ArrayList<>();
      for (Reply reply : replies(deadline)) {
        all.add(Stream.concat(earlier.stream(), Stream.of(reply)).toList());
      }
      return new Result(contestant, keys, all, happened);
    }
  }

  /** Kills the owner, which gets no reply. */
  List<Result> kill() throws Exception {
    awaitLines(OWNS);
    owner.close();
    long deadline = deadline(2);
    List<Result> results = new ArrayList<>();
    for (Successor it : callAgain()) {
      results.add(it.result(List.of(), deadline, it.describe(deadline)));
    }
    return results;
  }

  /** Pauses the owner until the next callers have given up, and lets it go on. */
  List<Result> pause() throws Exception {
    awaitLines(OWNS);
    owner.signal("STOP");
    List<Successor> successors = callAgain();
    long pauseEnd = deadline(1);
    List<String> meanwhile = new ArrayList<>();
    for (Successor it : successors) {
      meanwhile.add(it.describe(pauseEnd));
    }
    owner.send(GO);
    owner.signal("CONT");
    awaitLines(COMPLETED, REFUSED);
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < successors.size(); i++) {
      Successor it = successors.get(i);
      boolean refused = owner.output().contains(REFUSED + it.keys.get(0));
      results.add(
          it.result(
              refused ? List.of() : List.of(new Reply.Executed(ANSWER)),
              deadline(1),
              meanwhile.get(i) + (refused ? "; the owner is refused" : "; the owner goes on")));
    }
    return results;
  }

  private static long deadline(int times) {
    return System.nanoTime() + times * KeyTrial.PATIENCE.toNanos();
  }

  /** Waits until the process has printed a line with one of these starts for each key. */
  private void awaitLines(String... starts) throws Exception {
    long expected = (long) trial.owners().size() * keys.size();
    owner.await(
        START_PATIENCE,
        () ->
            owner.output().lines().filter(it -> Stream.of(starts).anyMatch(it::startsWith)).count()
                == expected);
  }

  private List<Successor> callAgain() {
    List<Successor> successors = new ArrayList<>();
    for (Contestant<IdempotentReceiver> it : trial.owners()) {
      List<String> own = keys.stream().map(key -> key(it, key)).toList();
      List<Future<Reply>> calls = new ArrayList<>();
      for (String key : own) {
        calls.add(threads.submit(() -> trial.call(it, key, "successor")));
      }
      successors.add(new Successor(it, own, calls));
    }
    return successors;
  }

  /** Returns a key per contestant, as contestants share a table of effects. */
  private static String key(Contestant<IdempotentReceiver> contestant, String key) {
    return key + "-" + Integer.toHexString(contestant.name().hashCode());
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    owner.close();
  }

  /**
   * The owner's process: claims keys of every contestant, prints each, and performs their effects
   * when its input says so. The arguments are the address of Redis and the keys.
   */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    KeyTrial trial =
        new KeyTrial(() -> BenchDatabase.ofEnvironment(KeyTrial.CONNECTIONS), arguments[0]);
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    for (Contestant<IdempotentReceiver> contestant : trial.owners()) {
      for (String key : List.of(arguments).subList(1, arguments.length)) {
        threads.execute(() -> own(trial, contestant, key(contestant, key), go));
      }
    }
    if (System.in.read() == GO) {
      go.countDown();
    }
  }

  private static void own(
      KeyTrial trial, Contestant<IdempotentReceiver> contestant, String key, CountDownLatch go) {
    try {
      contestant
          .work()
          .call(
              key,
              fence -> {
                System.out.println(OWNS + key);
                go.await();
                return trial.perform(key, ANSWER, fence);
              });
      System.out.println(COMPLETED + key);
    } catch (Exception e) {
      System.out.println(REFUSED + key + ": " + e);
    }
  }
}
