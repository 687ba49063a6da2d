/**
 * Keeps records in Redis, and caches completed outcomes in memory and in Redis. Start with {@link
 * dev.once.redis.RedisRecordStore} for records, and {@link dev.once.redis.NearCache} for the cache.
 */
@NullMarked
package dev.once.redis;

import org.jspecify.annotations.NullMarked;
