/**
 * A filter for Servlet 6 containers that makes every write take effect once: it reads the request,
 * claims its key, buffers the handler's answer in memory, and sends the answer after the store has
 * recorded it.
 *
 * <p>Start with {@link dev.once.servlet.OnceFilter}; {@code LeasedExchange} and {@code
 * TransactionalExchange} then execute a request.
 */
@NullMarked
package dev.once.servlet;

import org.jspecify.annotations.NullMarked;
