package dev.once.events;

/**
 * Asks to handle an event.
 *
 * @param token the same in every retry of this request, so that a grant whose answer was lost is
 *     given again
 * @param maySkip whether it may be handled although the event before it is missing
 */
record EventClaimRequest(Event event, long token, boolean maySkip) {}
