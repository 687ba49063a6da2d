/**
 * Real Boot applications, each with a PostgreSQL database of its own and called over HTTP. Start
 * reading with {@code App} and {@code StrictApiTest}.
 */
@NullMarked
package dev.once.spring;

import org.jspecify.annotations.NullMarked;
