/** Tests of effects, on real servers where they can be had. */
@NullMarked
package dev.once.effects;

import org.jspecify.annotations.NullMarked;
