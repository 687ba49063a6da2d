package dev.once.workflow;

import dev.once.jdbc.internal.Threads;
import dev.once.steps.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One call that runs branches. */
final class Branches<T extends @Nullable Object> {
  private static final String ANY = "any";

  private final RunSession session;
  private final RunContext context;
  private final String path;
  private final List<Running> branches;

  /**
   * @param context of the code that runs the branches
   */
  Branches(RunSession session, RunContext context, String path, List<Branch<T>> branches) {
    this.session = session;
    this.context = context;
    this.path = path;
    this.branches =
        IntStream.range(0, branches.size())
            .mapToObj(
                i ->
                    new Running(
                        branches.get(i),
                        new RunContext(session, Paths.branch(path, i + 1), context)))
            .toList();
  }

  List<T> all() throws Exception {
    ofOnce(() -> session.history().requireNoCall(path));
    CountDownLatch ended = new CountDownLatch(branches.size());
    branches.forEach(it -> it.start(ended::countDown));
    await(ended);
    unwind();
    List<T> values = new ArrayList<>();
    for (Running branch : branches) {
      values.add(branch.value());
    }
    return values;
  }

  T any() throws Exception {
    ofOnce(() -> session.history().expect(path, EntryKind.CHOICE, ANY, null));
    Optional<Entry> choice = session.history().find(path);
    if (choice.isPresent()) {
      return replay(choice.get());
    }
    CountDownLatch decided = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(branches.size());
    for (Running branch : branches) {
      branch.start(
          () -> {
            ended.countDown();
            if (branch.hasWon() || ended.getCount() == 0) {
              decided.countDown();
            }
          });
    }
    boolean isInterrupted = hasInterruptedWait(decided);
    if (branches.stream().anyMatch(Running::hasWon)) {
      branches.forEach(Running::abandon);
    }
    // A branch that still runs must not write after the choice. And if the worker stops, no other
    // activation may begin while an effect runs here.
    isInterrupted |= hasInterruptedWait(ended);
    requireNoInterrupt(isInterrupted);
    Optional<Running> winner = branches.stream().filter(Running::hasWon).findFirst();
    if (winner.isEmpty()) {
      unwind();
      return branches.get(0).value(); // All failed.
    }
    String number = String.valueOf(branches.indexOf(winner.get()) + 1);
    ofOnce(() -> choose(number));
    return winner.get().value();
  }

  private void choose(String number) {
    context.requireMayContinue();
    List<RunId> children =
        session.history().losing(path, number).stream()
            .filter(it -> it.kind() == EntryKind.CHILD)
            .map(it -> new RunId(context.run().tenant(), String.valueOf(it.input())))
            .toList();
    session.choose(
        EntryWrite.of(path, EntryKind.CHOICE, ANY, EntryState.DONE).input(number), children);
    session.history().abandon(path, number);
  }

  /** Lets the code not take a failure of Once for one of its branches. */
  private static void ofOnce(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      throw Unwind.brokenBy(e);
    }
  }

  /**
   * Runs the branch that won before, whose calls are all in the history. Other branches that have
   * something to compensate are called for what undoes it; they do nothing new.
   */
  private T replay(Entry choice) throws Exception {
    int number = Integer.parseInt(String.valueOf(choice.input()));
    if (number > branches.size()) {
      throw Unwind.brokenBy(
          new HistoryMismatchException(
              "the code has %d branches at %s, where branch %d won: register this code as a new version"
                  .formatted(branches.size(), path, number)));
    }
    Running winner = branches.get(number - 1);
    List<Running> called = new ArrayList<>();
    for (int i = 1; i <= branches.size(); i++) {
      Running branch = branches.get(i - 1);
      if (i == number) {
        called.add(branch);
      } else if (session.history().hasCompensations(Paths.branch(path, i))) {
        branch.abandon();
        called.add(branch);
      }
    }
    CountDownLatch ended = new CountDownLatch(called.size());
    called.forEach(it -> it.start(ended::countDown));
    await(ended);
    winner.unwound().ifPresent(Unwind::rethrow);
    return winner.value();
  }

  /** Ends the code if branches did not end: for the strongest of their reasons. */
  private void unwind() {
    @Nullable Unwind strongest = null;
    for (Running branch : branches) {
      if (branch.unwound().isPresent()) {
        strongest = Unwind.stronger(strongest, branch.unwound().get());
      }
    }
    if (strongest != null) {
      throw strongest;
    }
  }

  /** Waits for branches. An interrupt is passed on to them, and ends the code after they ended. */
  private void await(CountDownLatch latch) {
    requireNoInterrupt(hasInterruptedWait(latch));
  }

  private boolean hasInterruptedWait(CountDownLatch latch) {
    boolean isInterrupted = false;
    while (true) {
      try {
        latch.await();
        return isInterrupted;
      } catch (InterruptedException e) {
        isInterrupted = true;
        branches.forEach(Running::interrupt);
      }
    }
  }

  private static void requireNoInterrupt(boolean isInterrupted) {
    if (isInterrupted) {
      Thread.currentThread().interrupt();
      throw Unwind.brokenBy(new InterruptedException("the worker stops"));
    }
  }

  /** A branch and its thread. */
  private final class Running {
    private final Branch<T> branch;
    private final RunContext context;
    private @Nullable Thread thread;
    private volatile @Nullable Throwable thrown;
    private volatile boolean hasWon;
    private volatile @Nullable T value;

    Running(Branch<T> branch, RunContext context) {
      this.branch = branch;
      this.context = context;
    }

    synchronized void start(Runnable ended) {
      thread = Threads.daemon(() -> run(ended), "once-workflow-branch");
      try {
        thread.start();
      } catch (OutOfMemoryError e) { // No thread: those that were started are waited for.
        thrown = e;
        ended.run();
      }
    }

    private void run(Runnable ended) {
      try {
        context.begin();
        T result = branch.run(context);
        context.end();
        value = result;
        hasWon = true;
      } catch (Throwable e) {
        thrown = context.unwoundOr(e);
      } finally {
        ended.run();
      }
    }

    boolean hasWon() {
      return hasWon;
    }

    Optional<Unwind> unwound() {
      if (thrown instanceof Unwind it) {
        return Optional.of(it);
      }
      return thrown instanceof Error it ? Optional.of(Unwind.brokenBy(it)) : Optional.empty();
    }

    void abandon() {
      if (!hasWon) {
        context.abandon();
        interrupt();
      }
    }

    synchronized void interrupt() {
      if (thread != null) {
        thread.interrupt();
      }
    }

    T value() throws Exception {
      if (thrown instanceof Exception it) {
        throw it;
      }
      return cast(value);
    }

    @SuppressWarnings("NullAway") // Null only if T may be null.
    private T cast(@Nullable T it) {
      return it;
    }
  }
}
