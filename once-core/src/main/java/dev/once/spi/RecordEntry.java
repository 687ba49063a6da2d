package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Key;
import java.time.Instant;

/**
 * One record in a list: without the payload, so that a list stays small. All times are the store's.
 *
 * @param createdAt when the key was first claimed
 * @param expiresAt when the record is forgotten
 */
public record RecordEntry(
    Key key,
    State state,
    Fingerprint fingerprint,
    int attempts,
    Instant createdAt,
    Instant expiresAt) {}
