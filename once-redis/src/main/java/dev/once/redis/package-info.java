/**
 * Keeps records in Redis, or caches completed outcomes there. Start with {@link
 * dev.once.redis.RedisRecordStore} for records, and {@link dev.once.redis.RedisCache} for the
 * cache.
 */
@NullMarked
package dev.once.redis;

import org.jspecify.annotations.NullMarked;
