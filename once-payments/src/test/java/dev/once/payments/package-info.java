/** Tests of once-payments. */
@NullMarked
package dev.once.payments;

import org.jspecify.annotations.NullMarked;
