package dev.once.client;

/**
 * What a queue did since it was opened, for metrics.
 *
 * @param enqueued operations that were stored
 * @param attempts operations that were sent, each attempt counted
 * @param unanswered attempts without an answer
 * @param done operations that took effect, replays included
 * @param replayed operations whose answer was a replay
 * @param failed operations that failed
 */
public record QueueCounts(
    long enqueued, long attempts, long unanswered, long done, long replayed, long failed) {}
