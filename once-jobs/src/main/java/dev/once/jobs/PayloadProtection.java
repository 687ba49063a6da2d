package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Sealing;
import dev.once.UnreadableOutcomeException;
import dev.once.internal.JobPayload;
import dev.once.spi.Packing;
import java.util.function.UnaryOperator;

/** Decides how much the tables reveal about payloads: seals and opens them. Thread-safe. */
final class PayloadProtection {
  /** A schedule is one row for all of its firings, so its payload is sealed for its name. */
  private static final String SCHEDULE_SCOPE = "job_schedule";

  private static final String FAILURE_SCOPE = "job_failure:";

  private final Sealing sealing;
  private final Packing packing;
  private final UnaryOperator<Fingerprint> fingerprints;

  PayloadProtection(Sealing sealing, UnaryOperator<Fingerprint> fingerprints) {
    this.sealing = sealing;
    this.packing = Packing.of(sealing);
    this.fingerprints = fingerprints;
  }

  Sealing sealing() {
    return sealing;
  }

  /** Returns {@code fingerprint} as it is stored. */
  Fingerprint stored(Fingerprint fingerprint) {
    return fingerprints.apply(fingerprint);
  }

  JobPayload seal(JobKey key, byte[] payload) {
    return JobPayload.of(packing, keyOf(key), payload);
  }

  JobPayload seal(Schedule schedule) {
    Key key = keyOf(schedule.tenant(), schedule.name());
    return JobPayload.of(packing, key, schedule.payload().toArray());
  }

  /**
   * Returns the payload of the job with {@code key}.
   *
   * @throws UnreadablePayloadException if it is sealed and cannot be opened for this job
   */
  byte[] open(JobKey key, JobPayload stored) {
    return open(key, keyOf(key), stored);
  }

  /** Seals the payload of a schedule again, for the job with {@code key} that it enqueues. */
  JobPayload reseal(String schedule, JobKey key, JobPayload stored) {
    return seal(key, open(key, keyOf(key.tenant(), schedule), stored));
  }

  /** Returns why an attempt failed as it is stored: sealed, because it may quote the payload. */
  StoredFailure seal(JobKey key, AttemptFailure failure) {
    return packing.seals()
        ? StoredFailure.sealed(JobPayload.of(packing, failureKeyOf(key), failure.toBytes()).bytes())
        : StoredFailure.plain(failure);
  }

  /**
   * Returns why an attempt failed, or why that cannot be read: a list of dead letters must not fail
   * because of one of them.
   */
  AttemptFailure openFailure(JobKey key, byte[] sealed) {
    JobPayload stored = new JobPayload(sealed, Packing.keyId(sealed).orElse(""));
    try {
      return AttemptFailure.parse(open(key, failureKeyOf(key), stored));
    } catch (UnreadablePayloadException e) {
      return AttemptFailure.of("its last failure is sealed: " + e.getMessage());
    }
  }

  private byte[] open(JobKey key, Key sealedFor, JobPayload stored) {
    try {
      return stored.open(packing, sealedFor);
    } catch (UnreadableOutcomeException e) {
      String id = e.keyId().orElse(stored.sealedBy());
      throw id != null && sealing.ring().flatMap(ring -> ring.key(id)).isEmpty()
          ? UnreadablePayloadException.keyMissing(key, id)
          : UnreadablePayloadException.damaged(key, id, e.getCause());
    }
  }

  private static Key keyOf(JobKey key) {
    return JobPayload.keyOf(key.tenant(), key.queue(), key.value());
  }

  private static Key failureKeyOf(JobKey key) {
    return new Key(key.tenant(), FAILURE_SCOPE + key.queue(), key.value());
  }

  private static Key keyOf(String tenant, String schedule) {
    return new Key(tenant, SCHEDULE_SCOPE, schedule);
  }
}
