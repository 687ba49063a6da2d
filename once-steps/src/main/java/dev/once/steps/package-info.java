/**
 * Workflow steps that happen once. A step is keyed by its run, its name and a hash of its input;
 * its value is its recovery point, so a crashed run that is started again continues after its last
 * finished step. Start reading at {@link dev.once.steps.Steps}.
 */
@NullMarked
package dev.once.steps;

import org.jspecify.annotations.NullMarked;
