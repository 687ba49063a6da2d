/**
 * A planning API on PostgreSQL: projects, their missions, and who is assigned to them.
 *
 * <p>Start with {@link dev.once.examples.planning.MissionController} and follow one request down:
 * controllers speak HTTP, a service per aggregate decides and holds the transaction, repositories
 * hold the SQL, and {@link dev.once.examples.planning.Journal} writes down what was done and asks
 * for what is to follow. Jobs do that a moment later: {@link
 * dev.once.examples.planning.SearchIndexer}, {@link dev.once.examples.planning.DashboardRefresher}
 * and {@link dev.once.examples.planning.AssignmentNotifier}. Every statement names the tenant
 * first, and the tenant comes from the bearer token alone.
 */
@NullMarked
package dev.once.examples.planning;

import org.jspecify.annotations.NullMarked;
