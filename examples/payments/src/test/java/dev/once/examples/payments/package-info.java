/** Tests of the shop, its simulator and the demo around them. */
@NullMarked
package dev.once.examples.payments;

import org.jspecify.annotations.NullMarked;
