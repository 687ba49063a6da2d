/** Parts that other modules of Once share. Not for applications. */
@NullMarked
package dev.once.client.internal;

import org.jspecify.annotations.NullMarked;
