package dev.once.jobs;

import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;

/**
 * The objects and settings that all workers of a process share.
 *
 * @param pollInterval the time between polls if no notification arrives
 * @param retention how long the keys of finished jobs are stored, at least
 */
record WorkerContext(
    TransactionRunner work,
    JobTransactions transactions,
    SettlementWriter settlements,
    JobListener listener,
    Duration pollInterval,
    Duration retention) {}
