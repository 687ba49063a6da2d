package dev.once.jobs;

import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;

/**
 * The objects and settings that all workers of a process share.
 *
 * @param pollInterval the time between polls if no notification arrives
 */
record WorkerContext(
    TransactionRunner work,
    PayloadProtection protection,
    JobTransactions transactions,
    SettlementWriter settlements,
    Deadlines deadlines,
    BatchMaintenance batches,
    JobListener listener,
    Duration pollInterval,
    Retentions retentions) {
  /**
   * Returns the payload of a claimed job.
   *
   * @throws UnreadablePayloadException if it is sealed and cannot be opened
   */
  byte[] open(ClaimedJob job) {
    return protection.open(job.key(), job.payload());
  }
}
