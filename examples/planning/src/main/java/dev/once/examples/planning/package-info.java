/**
 * A planning API on PostgreSQL: projects, their missions, and the collaborators assigned to them.
 *
 * <p>Start with {@link dev.once.examples.planning.MissionController} and follow one request down:
 * controllers handle HTTP, a service per aggregate decides and owns the transaction, repositories
 * contain the SQL, and {@link dev.once.examples.planning.Journal} records the write and enqueues
 * its jobs. They run a moment later: {@link dev.once.examples.planning.SearchIndexer}, {@link
 * dev.once.examples.planning.DashboardRefresher} and {@link
 * dev.once.examples.planning.AssignmentNotifier}. Every statement names the tenant first, and the
 * tenant comes only from the bearer token.
 */
@NullMarked
package dev.once.examples.planning;

import org.jspecify.annotations.NullMarked;
