package dev.once.jobs;

/**
 * How far a batch is.
 *
 * @param batch its id, which is that of its join
 * @param members how many members it has had until now; jobs that were finished before they could
 *     become members do not count
 * @param finished how many of them were completed, cancelled or discarded
 * @param dead how many of the others are dead letters
 * @param isClosed whether its join waits no longer for members; none can be added
 */
public record BatchProgress(long batch, long members, long finished, long dead, boolean isClosed) {}
