/**
 * Events of aggregates: appended once in order, relayed to a broker at least once, and handled once
 * by each consumer. Start with {@link dev.once.events.EventStore}, which appends and reads them.
 */
@NullMarked
package dev.once.events;

import org.jspecify.annotations.NullMarked;
