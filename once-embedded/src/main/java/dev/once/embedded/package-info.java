/**
 * A real PostgreSQL server inside a Java program, run from programs on the class path: for tests,
 * and for a first start without a server of one's own. Start with {@link
 * dev.once.embedded.EmbeddedPostgres}.
 */
@NullMarked
package dev.once.embedded;

import org.jspecify.annotations.NullMarked;
