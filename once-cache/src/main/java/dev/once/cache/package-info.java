/**
 * Caches completed outcomes in memory, over any store. Start with {@link dev.once.cache.NearCache}.
 */
@NullMarked
package dev.once.cache;

import org.jspecify.annotations.NullMarked;
