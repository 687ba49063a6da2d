package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings under {@code once.cache}.
 *
 * @param enabled Whether answers are kept in a near cache, so that a replay needs no round trip to
 *     the store. Needs once-cache.
 * @param maxSize How much memory cached answers may take; a single one takes an eighth of it at
 *     most.
 * @param maxAge How long an answer stays in memory at most, and so how long another node may replay
 *     an answer that an operator has expired.
 * @param redis Whether answers are cached in Redis too, for all nodes. Needs once-redis.
 */
@ConfigurationProperties("once.cache")
public record CacheProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("64MB") DataSize maxSize,
    @DefaultValue("1m") Duration maxAge,
    @DefaultValue("false") boolean redis) {}
