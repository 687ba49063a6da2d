/** What the event modules of Once share with each other, and with no other code. */
@NullMarked
package dev.once.events.internal;

import org.jspecify.annotations.NullMarked;
