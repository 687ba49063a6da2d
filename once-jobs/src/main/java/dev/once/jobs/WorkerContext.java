package dev.once.jobs;

import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;

/**
 * The objects and settings that all workers of a process share.
 *
 * @param pollInterval the time between polls if no notification arrives
 * @param retention how long the keys of finished jobs are stored, at least
 * @param effectRetention how long the effects of leased jobs are remembered, at least
 */
record WorkerContext(
    TransactionRunner work,
    PayloadProtection protection,
    JobTransactions transactions,
    SettlementWriter settlements,
    Deadlines deadlines,
    JobListener listener,
    Duration pollInterval,
    Duration retention,
    Duration effectRetention) {
  /**
   * Returns the payload of a claimed job.
   *
   * @throws UnreadablePayloadException if it is sealed and cannot be opened
   */
  byte[] open(ClaimedJob job) {
    return protection.open(job.key(), job.payload());
  }
}
