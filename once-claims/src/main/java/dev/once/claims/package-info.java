/**
 * Claims over HTTP: workers in any language claim a key, renew its lease, and complete or release
 * it, with the answers that the engine gets from its store. Start reading at {@link
 * dev.once.claims.ClaimsServlet}.
 */
@NullMarked
package dev.once.claims;

import org.jspecify.annotations.NullMarked;
