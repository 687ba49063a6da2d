/**
 * Workflow steps that happen once. A step is keyed by its run, its name and a hash of its input;
 * what it returned is its recovery point, so a crashed run that is started again goes on after its
 * last finished step. Start reading at {@link dev.once.steps.Steps}.
 */
@NullMarked
package dev.once.steps;

import org.jspecify.annotations.NullMarked;
