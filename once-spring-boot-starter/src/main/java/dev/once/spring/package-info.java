/**
 * Once for Spring Boot: put the starter on the class path, say who the caller is, and every write
 * of the API takes effect once. {@link dev.once.spring.Idempotent} changes what a single route does
 * and guards methods of any other bean.
 *
 * <p>Start reading with {@code OnceWebAutoConfiguration}; settings are in {@link
 * dev.once.spring.OnceProperties}.
 */
@NullMarked
package dev.once.spring;

import org.jspecify.annotations.NullMarked;
