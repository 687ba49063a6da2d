/** Keeps records in Redis, and finished outcomes near those who ask for them. */
@NullMarked
package dev.once.redis;

import org.jspecify.annotations.NullMarked;
