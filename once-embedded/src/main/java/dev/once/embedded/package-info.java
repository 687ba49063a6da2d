/**
 * A real PostgreSQL server for a Java program, run from binaries on the class path: for tests, and
 * for a first start without a separate server. Start with {@link
 * dev.once.embedded.EmbeddedPostgres}.
 */
@NullMarked
package dev.once.embedded;

import org.jspecify.annotations.NullMarked;
