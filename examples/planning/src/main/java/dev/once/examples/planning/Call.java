package dev.once.examples.planning;

import java.util.UUID;
import java.util.function.Consumer;

/**
 * One authenticated request: its caller, its endpoint and its correlation ids.
 *
 * @param tenant from the bearer token, never from a header or a body
 * @param actor the caller inside the tenant
 * @param endpoint the method and the path template, as in {@code POST /v1/missions/{id}/lock}
 * @param audited receives the id of the audit event, for the answer
 */
record Call(
    String tenant,
    String actor,
    String endpoint,
    Correlation correlation,
    Consumer<UUID> audited) {}
