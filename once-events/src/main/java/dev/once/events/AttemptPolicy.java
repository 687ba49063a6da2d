package dev.once.events;

import dev.once.events.DeadLetterSink.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Decides what an attempt's end means for its event. */
final class AttemptPolicy {
  private static final int MAX_REASON_CHARS = 1000;

  private final ConsumerContext context;
  private final EventRetryPolicy retries;
  private final SequenceRule sequences;

  AttemptPolicy(ConsumerContext context, EventRetryPolicy retries, SequenceRule sequences) {
    this.context = context;
    this.retries = retries;
    this.sequences = sequences;
  }

  /** Returns how the attempt ends if its effect must not run; empty if it is to run. */
  Optional<AttemptResult> beforeEffect(EventLease lease) {
    if (lease.pending().maySkip() && sequences.missing() == SequenceRule.Missing.GIVE_UP) {
      return Optional.of(
          giveUp(lease, "the event before it did not come within " + sequences.maxWait()));
    }
    if (lease.attempt() > retries.attempts()) {
      return Optional.of(
          giveUp(lease, lease.claim().error().orElse("its lease ended in its last attempt")));
    }
    return Optional.empty();
  }

  /** Returns how an attempt ends whose effect threw. */
  AttemptResult afterFailure(EventLease lease, Throwable thrown) {
    if (context.isClosing().getAsBoolean()) { // Which interrupts it, so the fault may be ours.
      return AttemptResult.released(Duration.ZERO, "its consumer closes");
    }
    String reason = reasonOf(thrown);
    return thrown instanceof UnprocessableEventException || lease.attempt() >= retries.attempts()
        ? giveUp(lease, reason)
        : AttemptResult.failed(delay(lease, thrown), reason);
  }

  /** The other system may ask for a longer delay than the policy's. */
  private Duration delay(EventLease lease, Throwable thrown) {
    Duration own = retries.delayAfter(lease.attempt());
    Duration asked = thrown instanceof RetryLaterException it ? it.delay() : Duration.ZERO;
    return asked.compareTo(own) > 0 ? asked : own;
  }

  private AttemptResult giveUp(EventLease lease, String reason) {
    if (retries.sink().isEmpty()) {
      return AttemptResult.givenUp(ProcessedState.SKIPPED, reason);
    }
    if (lease.pending().hasLetter()) { // The transaction after it was rolled back.
      return AttemptResult.givenUp(ProcessedState.DEAD, reason);
    }
    boolean wasInterrupted = Thread.interrupted(); // By the effect that failed.
    lease.begin();
    try {
      retries
          .sink()
          .get()
          .accept(
              new DeadLetter(
                  context.handler(),
                  lease.event(),
                  lease.pending().headers(),
                  lease.attempt(),
                  reason));
      lease.pending().letterKept();
      return AttemptResult.givenUp(ProcessedState.DEAD, reason);
    } catch (Throwable e) {
      context.trouble("handing an event to the dead-letter sink", e);
      // The next attempt ends here again: the event is not lost before the sink has it.
      return AttemptResult.failed(retries.delayAfter(lease.attempt()), reason);
    } finally {
      lease.end();
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns a text that every database can store: without NUL and unpaired surrogates. */
  static String reasonOf(Throwable thrown) {
    String text = thrown.toString();
    String shortened =
        text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS) + "…";
    byte[] bytes = shortened.replace('\0', '?').getBytes(StandardCharsets.UTF_8);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
