/** Tests of the console: over HTTP against real tables, and in a real browser. */
@NullMarked
package dev.once.console;

import org.jspecify.annotations.NullMarked;
