/**
 * What an HTTP API promises about keys, retries and revisions, as data: which requests need an
 * {@code Idempotency-Key}, what counts as the same request, what is kept and how duplicates are
 * answered. This package depends on no framework and no server; adapters such as {@code
 * once-servlet} pass requests in and send the answers.
 *
 * <p>Start with {@link dev.once.http.Contract}.
 */
@NullMarked
package dev.once.http;

import org.jspecify.annotations.NullMarked;
