/**
 * Real Boot applications, each over a PostgreSQL database of its own and asked over HTTP. Start
 * reading with {@code App} and {@code StrictApiTest}.
 */
@NullMarked
package dev.once.spring;

import org.jspecify.annotations.NullMarked;
