package dev.once.jobs;

import dev.once.jdbc.spi.TransactionRunner;
import java.time.Duration;

/**
 * What everybody who works on jobs in a process has in common.
 *
 * @param pollInterval how long nobody looks for work without being told that there is some
 * @param retention how long the keys of finished jobs are kept, at least
 */
record WorkerContext(
    TransactionRunner work,
    JobTransactions transactions,
    SettlementWriter settlements,
    JobListener listener,
    Duration pollInterval,
    Duration retention) {}
