package dev.once.client;

import java.time.Duration;

/**
 * How an attempt ended whose outcome is not final.
 *
 * @param isCounted whether it was one of the attempts that an operation has
 * @param isSent whether it may have reached the server
 * @param pause until the next attempt
 */
record Postponement(
    boolean isCounted, boolean isAnswered, boolean isSent, Duration pause, String reason) {}
