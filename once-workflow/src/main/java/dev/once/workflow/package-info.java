/**
 * Durable workflows: a workflow is a method, its run survives crashes, deploys and months of
 * waiting, and every step of it that is done stays done. Start reading at {@link
 * dev.once.workflow.Workflows}.
 */
@NullMarked
package dev.once.workflow;

import org.jspecify.annotations.NullMarked;
