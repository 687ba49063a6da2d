/** Tests of webhooks and payments; each class is about one promise. */
@NullMarked
package dev.once.inbox;

import org.jspecify.annotations.NullMarked;
