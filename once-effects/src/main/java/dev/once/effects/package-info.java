/**
 * Effects of events on other systems: calls of HTTP APIs, documents in a graph store, entries in
 * Redis. Each one is the effect of an {@code EventConsumer}, and gives the same result if events
 * come twice or in another order.
 */
@NullMarked
package dev.once.effects;

import org.jspecify.annotations.NullMarked;
