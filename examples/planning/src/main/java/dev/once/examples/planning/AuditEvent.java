package dev.once.examples.planning;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One successful write, as the audit trail tells it. */
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
    String correlationId) {}
