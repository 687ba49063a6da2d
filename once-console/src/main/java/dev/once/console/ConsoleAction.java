package dev.once.console;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What a user may change. */
public enum ConsoleAction {
  /** Decides whether the effect of an uncertain record happened. */
  SETTLE_RECORD,
  /** Frees a key: its effect did not happen, and the next request executes. */
  RELEASE_RECORD,
  /** Forgets a record. */
  EXPIRE_RECORD,
  /** Returns a dead letter to its queue. */
  RETRY_JOB,
  /** Returns a dead letter to its queue, although its effects may be forgotten. */
  REPEAT_JOB,
  /** Removes a dead letter. */
  DISCARD_JOB,
  /** Removes a job that is not finished. */
  CANCEL_JOB,
  /** Makes a waiting job due now. */
  RUN_JOB,
  /** Cancels a workflow run. */
  CANCEL_RUN,
  /** Resumes a workflow run that failed. */
  RESUME_RUN,
  /** Calls a disabled webhook endpoint again. */
  ENABLE_ENDPOINT,
  /** Stops calling a webhook endpoint. */
  DISABLE_ENDPOINT,
  /** Lets a handler process an event again that was given up. */
  REDRIVE_EVENT;

  static final Set<ConsoleAction> ALL = Set.copyOf(EnumSet.allOf(ConsoleAction.class));

  /** Returns the name in paths and audit entries: {@code settle-record}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether what it changes belongs to a tenant, and not to the process. */
  boolean isOfATenant() {
    return this != REDRIVE_EVENT;
  }

  static Optional<ConsoleAction> named(String word) {
    return ALL.stream().filter(it -> it.word().equals(word)).findFirst();
  }
}
