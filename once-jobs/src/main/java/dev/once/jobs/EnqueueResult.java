package dev.once.jobs;

/**
 * The result of enqueueing a job.
 *
 * @param id the id of the job that has the key
 * @param created whether this call added it; otherwise it existed before, with the same fingerprint
 * @param state its current state; {@link JobState#DONE} if it is finished
 */
public record EnqueueResult(long id, boolean created, JobState state) {}
