package dev.once.gateway;

import java.time.Duration;

/**
 * When a service is no longer called.
 *
 * @param failureRate which share of its last calls must have failed, in percent
 * @param calls how many calls are counted
 * @param openTime how long it gets no calls then
 */
record BreakerSettings(int failureRate, int calls, Duration openTime) {}
