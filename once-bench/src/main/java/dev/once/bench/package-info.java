/**
 * Measures what Once costs: beside the same statements sent by hand, beside other products, as its
 * table grows, in a service over HTTP, and as a job queue.
 *
 * <p>Start with {@link dev.once.bench.Main}; {@code docs/benchmarks.md} explains what is measured
 * and holds the numbers.
 */
@NullMarked
package dev.once.bench;

import org.jspecify.annotations.NullMarked;
