package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A caller that claims the keys of an owner that makes no progress.
 *
 * @param asked the pending replies of the contestant, key by key
 */
record Successor(Contestant contestant, List<Future<Reply>> asked) {
  static final String ANSWER = "successor";

  /**
   * Returns the reply about each key; {@link Reply.Busy} if there is none within {@code patience}.
   */
  List<Reply> told(Duration patience) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    List<Reply> replies = new ArrayList<>();
    for (Future<Reply> reply : asked) {
      try {
        replies.add(reply.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        replies.add(new Reply.Busy());
      }
    }
    return replies;
  }

  /** Describes the replies in words. */
  static String story(List<Reply> told) {
    if (told.stream().allMatch(Reply.Executed.class::isInstance)) {
      return "the next caller executes";
    }
    if (told.stream().allMatch(Reply.Known.class::isInstance)) {
      return "the next caller learns that it is done";
    }
    return told.stream().allMatch(Reply.Busy.class::isInstance)
        ? "the next caller waits"
        : "it differs from key to key";
  }
}
