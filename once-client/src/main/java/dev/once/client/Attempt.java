package dev.once.client;

import java.time.Duration;
import java.util.Optional;

/**
 * One of the attempts at an operation.
 *
 * @param number from 1 on
 * @param status empty if there was no answer
 * @param failure why there was no answer
 * @param isSent whether a part of the request may have reached the server
 * @param pauseBefore how long the client waited before it
 * @param time how long it took
 */
public record Attempt(
    int number,
    Optional<Integer> status,
    Optional<String> failure,
    boolean isSent,
    Duration pauseBefore,
    Duration time) {}
