/**
 * Says when two JSON documents ask for the same thing, and keeps secrets out of what is stored.
 *
 * <p>Start with {@link dev.once.json.Fingerprinter}, which digests a request; {@link
 * dev.once.json.CanonicalJson} has the rule for what counts as the same document, and {@link
 * dev.once.json.Redactor} removes what must not be kept.
 */
@NullMarked
package dev.once.json;

import org.jspecify.annotations.NullMarked;
