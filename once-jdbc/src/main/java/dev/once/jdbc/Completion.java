package dev.once.jdbc;

import dev.once.Outcome;
import dev.once.spi.Claim;
import java.time.Duration;

/** How a grant ended. */
record Completion(Claim.Granted grant, Outcome outcome, Duration retention) {}
