/** Tests of events, on a real PostgreSQL. */
@NullMarked
package dev.once.events;

import org.jspecify.annotations.NullMarked;
