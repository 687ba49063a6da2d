package dev.once.jobs;

import dev.once.Payload;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets operators list, retry and discard dead letters. Every call names a tenant: a letter of
 * another tenant is not found. Every change and its entry in the audit trail are one statement, and
 * of several concurrent changes of a letter one takes effect. Thread-safe.
 */
public final class DeadLetters {
  public static final int MAX_ACTOR_CHARS = 255;

  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final BatchCloser batches;
  private final Duration retention;
  private final PayloadProtection protection;
  private final JobListener listener;

  DeadLetters(
      TransactionRunner work,
      QueueNotifier notifier,
      BatchCloser batches,
      Duration retention,
      PayloadProtection protection,
      JobListener listener) {
    this.work = work;
    this.notifier = notifier;
    this.batches = batches;
    this.retention = retention;
    this.protection = protection;
    this.listener = listener;
  }

  /**
   * Returns a page of dead letters, in the order in which they were enqueued. A letter whose row
   * this release cannot read is left out, and reported to the {@linkplain Jobs.Builder#listener
   * listener} with its id.
   */
  public List<DeadLetter> list(LetterQuery query) {
    return work.run(
        "listing dead letters",
        it -> ListLettersStatement.execute(it, query, protection, listener));
  }

  public Optional<DeadLetter> find(String tenant, long id) {
    return work.run(
        "finding a dead letter", it -> FindLetterStatement.execute(it, tenant, id, protection));
  }

  /**
   * Returns the payload that the letter's handler received. It may be private data.
   *
   * @throws UnreadablePayloadException if it is sealed and cannot be opened
   */
  public Optional<Payload.Bytes> payload(String tenant, long id) {
    return work.run(
        "reading a dead letter's payload",
        it -> LetterPayloadStatement.execute(it, tenant, id, protection));
  }

  /**
   * Makes letters ready again, with all their attempts; the jobs behind them in their aggregate
   * stay blocked. A letter that died because its key had been used for something else stays dead as
   * long as that key is stored. A letter whose effects may be {@linkplain DeadLetter#forgetAt
   * forgotten} stays dead too: see {@link #repeat}.
   *
   * @param actor the operator, for the audit trail
   * @return the ids of the letters that this call changed
   */
  public Set<Long> retry(String tenant, Collection<Long> ids, String actor) {
    requireActor(actor);
    List<Long> letterIds = bounded(ids);
    return notifyWorkers(
        work.run(
            "retrying dead letters",
            it -> RetryLettersStatement.retry(it, tenant, letterIds, actor)));
  }

  /**
   * Makes letters ready again as {@link #retry} does, also those whose effects may be {@linkplain
   * DeadLetter#forgetAt forgotten}: what their earlier attempts did may happen a second time. Find
   * out whether it happened before.
   *
   * @param actor the operator, for the audit trail
   * @return the ids of the letters that this call changed
   */
  public Set<Long> repeat(String tenant, Collection<Long> ids, String actor) {
    requireActor(actor);
    List<Long> letterIds = bounded(ids);
    return notifyWorkers(
        work.run(
            "repeating dead letters",
            it -> RetryLettersStatement.repeat(it, tenant, letterIds, actor)));
  }

  /**
   * Retries the first page of the letters that match {@code query} and can be retried. Call it
   * until it changes none.
   */
  public Set<Long> retryAll(LetterQuery query, String actor) {
    requireActor(actor);
    Set<Long> ids =
        work.run("picking dead letters", it -> PickLettersStatement.retriable(it, query));
    return ids.isEmpty() ? ids : retry(query.tenant(), ids, actor);
  }

  /**
   * Removes letters. Their keys count as finished: a caller that enqueues the same job again within
   * the retention joins it. The next jobs of their aggregates are unblocked.
   *
   * @param actor the operator, for the audit trail
   * @return the ids of the letters that this call changed
   */
  public Set<Long> discard(String tenant, Collection<Long> ids, String actor) {
    requireActor(actor);
    List<Long> letterIds = bounded(ids);
    return notifyWorkers(
        work.run(
            "discarding dead letters",
            it -> RemoveJobsStatement.discard(it, tenant, letterIds, actor, retention)));
  }

  /**
   * Discards the first page of the letters that match {@code query}. Call it until it changes none.
   */
  public Set<Long> discardAll(LetterQuery query, String actor) {
    requireActor(actor);
    Set<Long> ids = work.run("picking dead letters", it -> PickLettersStatement.any(it, query));
    return ids.isEmpty() ? ids : discard(query.tenant(), ids, actor);
  }

  /**
   * Returns the changes of a tenant's dead letters and their actors, in the order of the entries.
   *
   * @param afterId the last entry of the previous page, or 0
   * @param limit the maximum number of entries, 1 to {@link LetterQuery#MAX_LIMIT}
   */
  public List<LetterAudit> audit(String tenant, long afterId, int limit) {
    LetterQuery.requireLimit(limit);
    return work.run(
        "reading the audit trail",
        it -> ListAuditStatement.execute(it, tenant, afterId, limit, listener));
  }

  private Set<Long> notifyWorkers(LetterChange change) {
    batches.closeOrReport(change.batches());
    change.queues().forEach(notifier::notifyQueue);
    return change.ids();
  }

  static List<Long> bounded(Collection<Long> ids) {
    Limits.range("ids", ids.size(), 1, LetterQuery.MAX_LIMIT);
    return List.copyOf(ids);
  }

  static void requireActor(String actor) {
    if (actor.isBlank() || actor.length() > MAX_ACTOR_CHARS || actor.indexOf(0) >= 0) {
      throw new IllegalArgumentException(
          "actor must have 1 to %d characters that name the operator, got %d"
              .formatted(MAX_ACTOR_CHARS, actor.length()));
    }
  }
}
