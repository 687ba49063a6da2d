/**
 * Makes every write take effect once and gives every retry the same answer.
 *
 * <p>Start with {@link dev.once.Once}: it claims a {@link dev.once.Key}, executes an {@link
 * dev.once.Effect} unless it has happened, and otherwise answers from the record.
 */
@NullMarked
package dev.once;

import org.jspecify.annotations.NullMarked;
