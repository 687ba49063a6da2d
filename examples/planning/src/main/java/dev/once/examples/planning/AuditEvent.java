package dev.once.examples.planning;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One successful write in the audit trail.
 *
 * @param jobs the keys of the jobs that it enqueued
 */
record AuditEvent(
    UUID id,
    Instant at,
    String actor,
    String action,
    String endpoint,
    String resourceType,
    UUID resourceId,
    @Nullable String priorRevision,
    @Nullable String newRevision,
    String payloadHash,
    String requestId,
    String correlationId,
    List<String> jobs) {}
