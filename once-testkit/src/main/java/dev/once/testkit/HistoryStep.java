package dev.once.testkit;

import dev.once.Recovery;

/**
 * One step of a random history. Times are whole minutes, so that the time a real store takes for
 * its work never decides on which side of a limit a step falls. Grants are counted back from the
 * newest.
 */
sealed interface HistoryStep {
  /** Takes this step and returns the answer in words. */
  String takeWith(HistoryPlayer player);

  /**
   * Claims a key.
   *
   * @param request which of two requests: 0 or 1
   * @param reconciling whether the caller can find out what happened
   */
  record Claim(
      int key,
      int request,
      Recovery recovery,
      int leaseMinutes,
      int retentionMinutes,
      int maxAttempts,
      boolean reconciling)
      implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.claim(this);
    }
  }

  /** Completes a grant, perhaps an old one, with one of a few outcomes. */
  record Complete(int grantsAgo, int outcome, int retentionMinutes) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.complete(this);
    }
  }

  /** Releases a grant, perhaps an old one. */
  record Release(int grantsAgo) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.release(this);
    }
  }

  /** Renews a grant, perhaps an old one. */
  record Renew(int grantsAgo, int leaseMinutes) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.renew(this);
    }
  }

  /** Takes a key from its owner. */
  record Reopen(int key) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.reopen(this);
    }
  }

  /** Forgets a record before its time. */
  record Expire(int key) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.expire(this);
    }
  }

  /** Advances the time. */
  record Elapse(int minutes) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.elapse(this);
    }
  }

  /** Purges expired records. */
  record Purge() implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.purge();
    }
  }

  /** Finds the record of a key. */
  record Find(int key) implements HistoryStep {
    @Override
    public String takeWith(HistoryPlayer player) {
      return player.find(this);
    }
  }
}
