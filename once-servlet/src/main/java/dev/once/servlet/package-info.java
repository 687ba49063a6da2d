/**
 * A filter for Servlet 6 containers that makes every write take effect once: it reads the request,
 * asks the engine, lets the handler write into memory, and sends the answer once it is safe in the
 * store.
 *
 * <p>Start with {@link dev.once.servlet.OnceFilter}; a request's way through it is in {@code
 * LeasedExchange} and {@code TransactionalExchange}.
 */
@NullMarked
package dev.once.servlet;

import org.jspecify.annotations.NullMarked;
