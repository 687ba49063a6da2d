/** Tests of jobs, on a real PostgreSQL. */
@NullMarked
package dev.once.jobs;

import org.jspecify.annotations.NullMarked;
