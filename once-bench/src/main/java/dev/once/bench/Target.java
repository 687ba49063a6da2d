package dev.once.bench;

/**
 * How fast Once shall be beside the best of some others.
 *
 * @param callers how many there are at a time
 * @param against who the others are
 */
record Target(int callers, Contestant.Role against, double ratio) {}
