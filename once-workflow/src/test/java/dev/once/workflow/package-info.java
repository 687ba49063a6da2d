/** Tests of workflows, on a real PostgreSQL. */
@NullMarked
package dev.once.workflow;

import org.jspecify.annotations.NullMarked;
