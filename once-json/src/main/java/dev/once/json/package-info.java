/**
 * Decides whether two JSON documents are the same request, and removes secrets from stored data.
 *
 * <p>Start with {@link dev.once.json.Fingerprinter}, which digests a request; {@link
 * dev.once.json.CanonicalJson} has the rule for equal documents, and {@link dev.once.json.Redactor}
 * removes data that must not be stored.
 */
@NullMarked
package dev.once.json;

import org.jspecify.annotations.NullMarked;
