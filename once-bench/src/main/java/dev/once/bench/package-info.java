/**
 * Measures what Once costs: beside the same statements sent by hand, beside other products, and as
 * its table grows.
 *
 * <p>Start with {@link dev.once.bench.Main}; {@code docs/benchmarks.md} explains what is measured
 * and holds the numbers.
 */
@NullMarked
package dev.once.bench;

import org.jspecify.annotations.NullMarked;
