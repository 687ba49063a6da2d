package dev.once.client;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Sends an operation that was claimed, and stores what follows from the outcome. Thread-safe. */
final class OperationSender {
  /** How much longer a claim lasts than an attempt. */
  static final Duration LEASE_MARGIN = Duration.ofSeconds(1);

  /** How long the outcome of an attempt is kept in memory while the file cannot be written. */
  private static final Duration STORE_TIME = Duration.ofMinutes(5);

  /** A first attempt that is further in the future was noted before the clock was set back. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

  private static final Duration STORE_PAUSE = Duration.ofMillis(500);

  private final OnceHttpClient client;
  private final QueueFile file;
  private final Connectivity connectivity;
  private final QueueProgress progress;
  private final WorkSignal signal;
  private final Settings settings;

  OperationSender(
      OnceHttpClient client,
      QueueFile file,
      Connectivity connectivity,
      QueueProgress progress,
      WorkSignal signal,
      Settings settings) {
    this.client = client;
    this.file = file;
    this.connectivity = connectivity;
    this.progress = progress;
    this.signal = signal;
    this.settings = settings;
  }

  record Settings(OutcomeLookup lookup, int maxAttempts, Backoff backoff) {}

  Duration lease() {
    return client.attemptTimeout().plus(LEASE_MARGIN);
  }

  void handle(Claim claim) {
    try {
      if (claim.hasSucceeded()) {
        done(claim, Optional.empty(), true);
      } else if (isForgotten(claim)) {
        lookUp(claim);
      } else {
        send(claim);
      }
    } catch (InterruptedException e) {
      boolean isClosed = signal.isClosed();
      Duration pause =
          isClosed ? Duration.ZERO : settings.backoff.after(1, ThreadLocalRandom.current());
      String reason = isClosed ? "the queue was closed" : "interrupted";
      file.settlements().postpone(claim, new Postponement(false, false, true, pause, reason));
    }
  }

  /**
   * Returns whether the server may execute the operation again: it may have forgotten the key
   * before an attempt would end, or it knows no keys.
   */
  private boolean isForgotten(Claim claim) {
    if (!claim.wasSent()) {
      return false;
    }
    if (!client.rules().isRepeatable(claim.operation().method())) {
      return true;
    }
    Instant firstSent = claim.queued().firstSentAt().orElse(Instant.EPOCH);
    Duration retention = client.rules().retention().minus(client.attemptTimeout());
    Duration age = Duration.between(firstSent, Instant.now());
    return age.compareTo(retention) > 0 || age.plus(CLOCK_TOLERANCE).isNegative();
  }

  private void lookUp(Claim claim) throws InterruptedException {
    if (!file.claims().extend(claim, OfflineQueue.LOOKUP_LEASE)) {
      return;
    }
    OutcomeLookup.Outcome outcome;
    try {
      outcome = settings.lookup.find(claim.operation());
    } catch (IOException | RuntimeException | Error e) {
      notSent(claim, "looking for the outcome of " + claim.operation(), e);
      return;
    }
    switch (outcome) {
      case TOOK_EFFECT -> done(claim, Optional.empty(), true);
      case DID_NOT_TAKE_EFFECT -> {
        if (file.claims().restartRetention(claim, lease())) {
          send(claim.renewed());
        }
      }
      case UNKNOWN ->
          fail(
              claim,
              Advice.CHECK_FIRST,
              "the server may execute it again; it was first sent at "
                  + claim.queued().firstSentAt().map(Instant::toString).orElse("-"),
              Optional.empty(),
              false);
    }
  }

  private void send(Claim claim) throws InterruptedException {
    HttpRequest request;
    try {
      request = client.request(claim.operation());
    } catch (RuntimeException | Error e) { // Of the application's credentials.
      notSent(claim, "sending " + claim.operation(), e);
      return;
    }
    progress.sending(claim.operation(), claim.queued().attempts() + 1);
    // The listener or the credentials may have taken long, or the process may have been stopped.
    if (claim.isOlderThan(LEASE_MARGIN) && !file.claims().extend(claim, lease())) {
      return;
    }
    AttemptOutcome outcome = client.attempt(request);
    boolean isBack = noteConnectivity(claim, outcome.answer().isPresent());
    settle(claim, outcome);
    if (isBack) {
      file.settlements().retryNow(claim.target());
      progress.tell(new QueueEvent.Connectivity(connectivity.isOnline()));
      signal.work();
    }
  }

  /** Returns whether the server answers again. */
  private boolean noteConnectivity(Claim claim, boolean isAnswered) {
    if (isAnswered) {
      return connectivity.answered(claim.target());
    }
    progress.unanswered();
    if (connectivity.unanswered(claim.target(), claim.operation().id())) {
      progress.tell(new QueueEvent.Connectivity(false));
    }
    return false;
  }

  private void settle(Claim claim, AttemptOutcome outcome) {
    Decision decision = client.rules().decide(claim.operation().method(), outcome);
    if (decision instanceof Decision.Done it) {
      done(claim, outcome.answer(), it.isReplayed());
    } else if (decision instanceof Decision.Refused it) {
      refused(claim, it.advice(), outcome);
    } else if (decision instanceof Decision.Retry it) {
      postpone(claim, outcome, it.atLeast());
    } else if (decision instanceof Decision.Follow it) {
      postpone(claim, outcome, it.atLeast());
    } else if (decision instanceof Decision.Unknown it) {
      if (it.advice() == Advice.SEND_AGAIN) {
        postpone(claim, outcome, Duration.ZERO);
      } else {
        fail(claim, it.advice(), outcome.describe(), outcome.answer(), false);
      }
    } else {
      throw new AssertionError("unhandled decision " + decision);
    }
  }

  private void refused(Claim claim, Advice advice, AttemptOutcome outcome) {
    if (advice == Advice.SIGN_IN) {
      String reason = claim.operation() + " was answered by " + outcome.describe();
      if (store(claim, () -> file.settlements().park(claim, reason))) {
        progress.tell(new QueueEvent.Parked(reason));
      }
    } else if (advice == Advice.SEND_AGAIN) {
      postpone(claim, outcome, Duration.ZERO);
    } else {
      fail(claim, advice, outcome.describe(), outcome.answer(), true);
    }
  }

  /** Only answers count, and not the answer that another request with the key is in execution. */
  private void postpone(Claim claim, AttemptOutcome outcome, Duration atLeast) {
    boolean isAnswered = outcome.answer().isPresent();
    boolean isInFlight =
        outcome.answer().filter(it -> it.status() == 409 || it.status() == 202).isPresent();
    Attempted attempted =
        new Attempted(isAnswered && !isInFlight, isAnswered, outcome.isSent(), outcome.answer());
    postpone(claim, attempted, outcome.describe(), atLeast);
  }

  /** Something failed before the request was sent. A failure of the network is no attempt. */
  private void notSent(Claim claim, String what, Throwable failure) {
    progress.trouble(what, failure);
    boolean isCounted = !AttemptOutcome.isOfTheNetwork(failure);
    String reason = failure.getClass().getSimpleName();
    postpone(
        claim, new Attempted(isCounted, false, false, Optional.empty()), reason, Duration.ZERO);
  }

  private record Attempted(
      boolean isCounted, boolean isAnswered, boolean isSent, Optional<Answer> answer) {}

  private void postpone(Claim claim, Attempted attempted, String reason, Duration atLeast) {
    int attempts = claim.queued().attempts() + 1;
    if (attempted.isCounted && attempts >= settings.maxAttempts) {
      fail(claim, Advice.SEND_AGAIN, reason, attempted.answer, false);
      return;
    }
    int step = attempted.isAnswered ? attempts : claim.unanswered() + 1;
    Duration jittered = settings.backoff.after(step, ThreadLocalRandom.current());
    Duration pause = atLeast.compareTo(jittered) > 0 ? atLeast : jittered;
    Postponement how =
        new Postponement(
            attempted.isCounted, attempted.isAnswered, attempted.isSent, pause, reason);
    if (store(claim, () -> file.settlements().postpone(claim, how))) {
      progress.tell(new QueueEvent.Waiting(claim.operation(), pause, reason));
    }
  }

  private void done(Claim claim, Optional<Answer> answer, boolean isReplayed) {
    if (store(claim, () -> file.settlements().done(claim, answer))) {
      progress.done(isReplayed);
      ended(List.of(claim.operation().id()), isReplayed);
    }
    signal.ended();
  }

  private void fail(
      Claim claim, Advice advice, String reason, Optional<Answer> answer, boolean isRefused) {
    OperationEnd end =
        store(claim, () -> file.settlements().fail(claim, advice, reason, answer, isRefused));
    if (end.isEnded()) {
      progress.failed();
      ended(List.of(claim.operation().id()), false);
      ended(end.dropped(), false);
    }
    signal.ended();
  }

  /** Tells that operations have ended. */
  void ended(List<String> ids, boolean isReplayed) {
    for (String id : ids) {
      file.reader().find(id).ifPresent(it -> progress.tell(new QueueEvent.Ended(it, isReplayed)));
    }
  }

  /**
   * Stores an outcome, and tries again while the file cannot be written: an outcome that is lost
   * would be found out by sending the operation once more.
   */
  private <T> T store(Claim claim, Supplier<T> change) {
    long end = System.nanoTime() + STORE_TIME.toNanos();
    while (true) {
      try {
        return change.get();
      } catch (QueueException e) {
        if (signal.isClosed() || System.nanoTime() - end > 0) {
          throw e;
        }
        progress.trouble("storing the outcome of " + claim.operation(), e);
        try {
          signal.pause(STORE_PAUSE);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw e;
        }
      }
    }
  }
}
