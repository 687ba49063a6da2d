/** Tests of once-steps. */
@NullMarked
package dev.once.steps;

import org.jspecify.annotations.NullMarked;
