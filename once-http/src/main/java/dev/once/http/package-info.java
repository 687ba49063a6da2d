/**
 * What an HTTP API promises about keys, retries and revisions, as data: which requests need an
 * {@code Idempotency-Key}, what counts as the same request, what is kept and how duplicates are
 * answered. No framework and no server in here: {@code once-servlet} and others bring requests in
 * and carry answers out.
 *
 * <p>Start with {@link dev.once.http.Contract}.
 */
@NullMarked
package dev.once.http;

import org.jspecify.annotations.NullMarked;
