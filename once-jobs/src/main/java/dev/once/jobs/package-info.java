/**
 * Jobs on PostgreSQL: enqueued in the caller's transaction, run by workers in any process. Start
 * with {@link dev.once.jobs.Jobs}, which enqueues them, and {@link dev.once.jobs.Workers}, which
 * runs them. Each SQL statement has a class of its own.
 */
@NullMarked
package dev.once.jobs;

import org.jspecify.annotations.NullMarked;
