/** The commands of {@code ./once} for operators. */
@NullMarked
package dev.once.cli;

import org.jspecify.annotations.NullMarked;
