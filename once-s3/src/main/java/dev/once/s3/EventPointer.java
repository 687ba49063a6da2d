package dev.once.s3;

import dev.once.Fingerprint;

/**
 * Where the event with an id is, or will be. It is written before the event, and changed only while
 * the event cannot be at the place that it names.
 *
 * @param fingerprint what the event says, as its first append had it
 */
record EventPointer(String eventId, Place place, Fingerprint fingerprint) {}
