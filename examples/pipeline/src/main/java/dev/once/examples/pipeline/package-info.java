/**
 * Commands, an event log, a relay and workers, each a process of its own, and a driver that kills
 * them: {@code ./once demo pipeline} runs all of it. {@link dev.once.examples.pipeline.Main} lists
 * the roles and their settings. Start reading at {@link dev.once.examples.pipeline.Workers}.
 */
@NullMarked
package dev.once.examples.pipeline;

import org.jspecify.annotations.NullMarked;
