package dev.once.workflow;

import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.Jobs;
import dev.once.json.Fingerprinter;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all runs of a process share.
 *
 * @param writes shares statements among runs
 * @param deadlines interrupts steps that take too long
 * @param inputs says which inputs are the same
 */
record Engine(
    TransactionRunner transactions,
    RunWrites writes,
    Jobs jobs,
    String queue,
    Values values,
    Fingerprinter inputs,
    ScheduledExecutorService deadlines) {}
