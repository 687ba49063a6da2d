package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Recovery;
import java.time.Instant;
import java.util.Optional;

/**
 * A record as it was at one moment. All times are the store's.
 *
 * @param createdAt when the key was first claimed
 * @param leaseUntil when the newest grant's lease ends or ended
 * @param expiresAt when the record is forgotten
 * @param outcome what is replayed, once the record is completed or failed
 */
public record RecordView(
    Key key,
    State state,
    Fingerprint fingerprint,
    long fence,
    int attempts,
    Recovery recovery,
    Instant createdAt,
    Instant leaseUntil,
    Instant expiresAt,
    Headers correlation,
    Optional<Outcome> outcome) {}
