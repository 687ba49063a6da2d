/** Commands, an event log, a relay and workers: {@code ./once demo pipeline}. */
@NullMarked
package dev.once.examples.pipeline;

import org.jspecify.annotations.NullMarked;
