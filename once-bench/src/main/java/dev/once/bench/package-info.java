/**
 * Measures what Once costs: compared with the same work done by hand, with other products and
 * common patterns, as its table grows, in a service over HTTP, and as a job queue. It also checks
 * the correctness of all contestants when callers race, owners are paused and processes are killed.
 *
 * <p>Start with {@link dev.once.bench.Main}; {@code docs/benchmarks.md} explains what is measured
 * and holds the numbers.
 */
@NullMarked
package dev.once.bench;

import org.jspecify.annotations.NullMarked;
