package dev.once.bench;

/**
 * How fast Once must be compared with the best of some contestants.
 *
 * @param callers how many there are at a time
 * @param against which contestants
 */
record Target(int callers, Contestant.Role against, double ratio) {}
