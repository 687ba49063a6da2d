package dev.once.jobs;

/**
 * What became of a job that was enqueued.
 *
 * @param id the id of the job that has the key
 * @param created whether it is this call's; otherwise it was there, and asks for the same
 * @param state where it is now; {@link JobState#DONE} if nothing is left to do
 */
public record EnqueueResult(long id, boolean created, JobState state) {}
