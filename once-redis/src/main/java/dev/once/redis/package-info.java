/**
 * Keeps records in Redis, and finished outcomes near those who ask for them. Start with {@link
 * dev.once.redis.RedisRecordStore} for the one, and {@link dev.once.redis.NearCache} for the other.
 */
@NullMarked
package dev.once.redis;

import org.jspecify.annotations.NullMarked;
