/**
 * Once for Spring Boot: put the starter on the class path, provide tenant and caller, and every
 * write of the API takes effect once. {@link dev.once.spring.Idempotent} changes what a single
 * route does and guards methods of any other bean; {@link dev.once.spring.OnceJob} makes methods
 * run jobs.
 *
 * <p>Start reading with {@code OnceWebAutoConfiguration}, or with {@code OnceJobsAutoConfiguration}
 * for jobs; settings are in {@link dev.once.spring.OnceProperties} and {@link
 * dev.once.spring.JobsProperties}.
 */
@NullMarked
package dev.once.spring;

import org.jspecify.annotations.NullMarked;
