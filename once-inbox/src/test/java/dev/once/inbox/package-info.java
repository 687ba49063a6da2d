/** Tests of once-inbox. */
@NullMarked
package dev.once.inbox;

import org.jspecify.annotations.NullMarked;
