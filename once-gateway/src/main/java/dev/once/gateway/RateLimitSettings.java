package dev.once.gateway;

import java.time.Duration;

/** How many writes a caller may send in a period. */
record RateLimitSettings(int requests, Duration per) {}
