package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings under {@code once.cache}.
 *
 * @param enabled Whether answers are kept near, so that a replay takes no trip to the store. Needs
 *     once-redis.
 * @param maxSize How much memory they may take together; an eighth of it is the largest.
 * @param maxAge How long they stay in memory at most, and with it how long another node may replay
 *     what an operator has expired.
 * @param redis Whether they are kept in Redis too, where all nodes find them.
 */
@ConfigurationProperties("once.cache")
public record CacheProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("64MB") DataSize maxSize,
    @DefaultValue("1m") Duration maxAge,
    @DefaultValue("false") boolean redis) {}
