/** Tests of the demo, which run it. */
@NullMarked
package dev.once.examples.offline;

import org.jspecify.annotations.NullMarked;
