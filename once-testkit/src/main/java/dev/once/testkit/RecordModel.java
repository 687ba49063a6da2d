package dev.once.testkit;

import dev.once.Recovery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store has to do, in its simplest form: one thread, whole minutes, one mutable entry per
 * key. A grant is identified by its number in the history.
 */
final class RecordModel implements HistoryPlayer {
  private final Map<Integer, Entry> entries = new HashMap<>();
  private final List<Integer> keyOfGrant = new ArrayList<>();
  private final boolean forgetsByItself;
  private int now;

  /** A model of a store that has something to purge, or of one that {@code forgetsByItself}. */
  RecordModel(boolean forgetsByItself) {
    this.forgetsByItself = forgetsByItself;
  }

  /** The record of one key. */
  private static final class Entry {
    private String state = "in_progress";
    private int request;
    private int grant;
    private int attempts;
    private Recovery recovery = Recovery.RERUN;
    private int created;
    private int leaseEnd;
    private int expiry;
    private int outcome;
  }

  @Override
  public String claim(HistoryStep.Claim step) {
    Entry entry = existing(step.key());
    if (entry == null) {
      entry = new Entry();
      entry.created = now;
      entry.request = step.request();
      entries.put(step.key(), entry);
      return grant(entry, step);
    }
    if (entry.request != step.request()) {
      return "mismatched";
    }
    return switch (entry.state) {
      case "completed", "failed" -> "replay of outcome " + entry.outcome + ", grant " + entry.grant;
      case "open" -> grant(entry, step);
      default -> claimOwned(entry, step);
    };
  }

  private String claimOwned(Entry entry, HistoryStep.Claim step) {
    if (now < entry.leaseEnd) {
      return "held for " + (entry.leaseEnd - now) + " min";
    }
    boolean rerun = entry.recovery == Recovery.RERUN && entry.attempts < step.maxAttempts();
    return rerun || step.reconciling() ? grant(entry, step) : "uncertain";
  }

  private String grant(Entry entry, HistoryStep.Claim step) {
    boolean mustAsk = entry.state.equals("in_progress") && entry.recovery == Recovery.ASK;
    entry.state = "in_progress";
    entry.grant = keyOfGrant.size();
    entry.attempts++;
    entry.recovery = mustAsk ? Recovery.ASK : step.recovery();
    entry.leaseEnd = now + step.leaseMinutes();
    entry.expiry = entry.leaseEnd + step.retentionMinutes();
    keyOfGrant.add(step.key());
    return "grant " + entry.grant + ", attempt " + entry.attempts;
  }

  @Override
  public String complete(HistoryStep.Complete step) {
    if (keyOfGrant.isEmpty()) {
      return NO_GRANT;
    }
    Entry entry = newest(step.grantsAgo());
    if (entry == null || entry.state.equals("open")) {
      return LOST;
    }
    if (entry.state.equals("in_progress")) {
      entry.state = StorePlayer.OUTCOMES.get(step.outcome()).failed() ? "failed" : "completed";
      entry.outcome = step.outcome();
      entry.expiry = now + step.retentionMinutes();
    }
    return DONE;
  }

  @Override
  public String release(HistoryStep.Release step) {
    if (keyOfGrant.isEmpty()) {
      return NO_GRANT;
    }
    Entry entry = newest(step.grantsAgo());
    if (entry == null || !entry.state.equals("in_progress")) {
      return LOST;
    }
    entry.state = "open";
    return DONE;
  }

  @Override
  public String renew(HistoryStep.Renew step) {
    if (keyOfGrant.isEmpty()) {
      return NO_GRANT;
    }
    Entry entry = newest(step.grantsAgo());
    if (entry == null || !entry.state.equals("in_progress")) {
      return LOST;
    }
    int retention = entry.expiry - entry.leaseEnd;
    entry.leaseEnd = now + step.leaseMinutes();
    entry.expiry = entry.leaseEnd + retention;
    return DONE;
  }

  @Override
  public String reopen(HistoryStep.Reopen step) {
    Entry entry = existing(step.key());
    if (entry == null || !entry.state.equals("in_progress")) {
      return LEFT_ALONE;
    }
    entry.state = "open";
    return DONE;
  }

  @Override
  public String expire(HistoryStep.Expire step) {
    Entry entry = existing(step.key());
    if (entry == null || (entry.state.equals("in_progress") && now < entry.leaseEnd)) {
      return LEFT_ALONE;
    }
    entry.expiry = now;
    return DONE;
  }

  @Override
  public String elapse(HistoryStep.Elapse step) {
    now += step.minutes();
    return DONE;
  }

  @Override
  public String purge() {
    int before = entries.size();
    entries.values().removeIf(it -> it.expiry <= now);
    return "purged " + (forgetsByItself ? 0 : before - entries.size());
  }

  @Override
  public String find(HistoryStep.Find step) {
    Entry entry = existing(step.key());
    if (entry == null) {
      return "nothing";
    }
    boolean done = entry.state.equals("completed") || entry.state.equals("failed");
    boolean lapsed = entry.state.equals("in_progress") && entry.leaseEnd <= now;
    return (lapsed && entry.recovery == Recovery.ASK ? "uncertain" : entry.state)
        + (" request " + entry.request)
        + (" grant " + entry.grant)
        + (" attempts " + entry.attempts)
        + (" " + entry.recovery)
        + (" lease until +" + (entry.leaseEnd - entry.created))
        + (" expires +" + (entry.expiry - entry.created))
        + (done ? " outcome " + entry.outcome : "");
  }

  /** The record of {@code key}, unless it expired. */
  private @Nullable Entry existing(int key) {
    Entry entry = entries.get(key);
    return entry == null || entry.expiry <= now ? null : entry;
  }

  /** The record of a grant if that grant is its newest. */
  private @Nullable Entry newest(int grantsAgo) {
    int grant = keyOfGrant.size() - 1 - grantsAgo % keyOfGrant.size();
    Entry entry = existing(keyOfGrant.get(grant));
    return entry == null || entry.grant != grant ? null : entry;
  }
}
