package dev.once.http;

import dev.once.Terms;
import dev.once.json.Redactor;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Defines the contracts that come with Once, each by its differences from strict. */
final class Contracts {
  private static final String HEADER = "Idempotency-Key";
  private static final int LONGEST_KEY = 128;
  private static final int LONGEST_STRIPE_KEY = 255;
  private static final Duration DAY = Duration.ofHours(24);
  private static final Set<String> HEADERS =
      Set.of(
          "content-type",
          "content-language",
          "content-encoding",
          "content-location",
          "content-disposition",
          "cache-control",
          "etag",
          "last-modified",
          "link",
          "location",
          "retry-after",
          "vary",
          "x-request-id",
          "x-correlation-id");

  private Contracts() {}

  static Contract strict() {
    return new Contract(
        "strict",
        KeyRule.of(HEADER, KeyRule.Form.ASCII, LONGEST_KEY),
        Coverage.everyWrite(true),
        ScopeRule.ROUTE,
        KeptStatuses.successesAndRefusals(),
        HEADERS,
        Set.of(),
        Optional.empty(),
        Terms.DEFAULT, // 24 hours for successes, 4 for errors
        1 << 20,
        ReplayHeaders.of("Idempotency-Replayed", false),
        ErrorFormat.PROBLEM,
        strictRefusals(),
        IfMatchRule.of(true, false),
        Optional.empty(),
        URI.create("https://once.dev/problems/"));
  }

  static Contract planning() {
    return oneDay()
        .name("planning")
        .coverage(Coverage.everyWrite(false))
        .scope(ScopeRule.METHOD_ROUTE_AND_CALLER)
        .keptStatuses(KeptStatuses.successesAnd(Set.of(400, 409, 422)))
        .ifMatch(IfMatchRule.of(true, false).withParameterAllowed(true))
        .refusal(
            Refusal.KEY_INVALID,
            RefusalRule.of(400, "planning.idempotency_key_invalid", "Key not accepted"))
        .refusal(
            Refusal.PAYLOAD_MISMATCH,
            RefusalRule.of(
                409, "planning.idempotency_replay_conflict", "Key used for another request"))
        .refusal(
            Refusal.VERSION_MISMATCH,
            RefusalRule.of(409, "planning.concurrency_mismatch", "Resource has changed"))
        .refusal(
            Refusal.IF_MATCH_REQUIRED,
            RefusalRule.of(428, "planning.concurrency_etag_required", "If-Match is missing"))
        .build();
  }

  static Contract mobile() {
    Contract.Builder mobile =
        oneDay()
            .name("mobile")
            .key(KeyRule.of(HEADER, KeyRule.Form.UUID_V4, LONGEST_KEY))
            .scope(ScopeRule.CALLER)
            .keptStatuses(KeptStatuses.allBut(Set.of()))
            .errors(ErrorFormat.ENVELOPE)
            .ifMatch(IfMatchRule.of(false, true));
    return spelled(mobile, code -> code.toUpperCase(Locale.ROOT).replace('.', '_'))
        .refusal(
            Refusal.IN_FLIGHT,
            RefusalRule.of(409, "CONCURRENT_REQUEST", "The first request has not ended"))
        .build();
  }

  static Contract async() {
    return oneDay()
        .name("async")
        .coverage(Coverage.chosenRoutes(true))
        .scope(ScopeRule.METHOD_ROUTE_AND_CALLER)
        .redaction(Optional.of(Redactor.standard()))
        .replayHeaders(ReplayHeaders.of("", true))
        .ifMatch(IfMatchRule.of(false, true))
        .refusal(
            Refusal.IN_FLIGHT,
            RefusalRule.of(202, "idempotency.in_flight", "The first request is being executed"))
        .operations(Optional.of("/idempotency/operations/"))
        .build();
  }

  static Contract ietf() {
    return oneDay()
        .name("ietf")
        .key(KeyRule.of(HEADER, KeyRule.Form.STRUCTURED, LONGEST_STRIPE_KEY))
        .coverage(Coverage.chosenRoutes(true))
        .scope(ScopeRule.METHOD_ROUTE_AND_CALLER)
        .ifMatch(IfMatchRule.of(true, true))
        .refusal(
            Refusal.KEY_REQUIRED,
            RefusalRule.of(400, "idempotency.key_required", "Idempotency-Key is missing"))
        .refusal(
            Refusal.PAYLOAD_MISMATCH,
            RefusalRule.of(422, "idempotency.payload_mismatch", "Idempotency-Key is already used"))
        .refusal(
            Refusal.IN_FLIGHT,
            RefusalRule.of(
                409, "idempotency.in_flight", "A request is outstanding for this Idempotency-Key"))
        .refusal(
            Refusal.VERSION_MISMATCH,
            RefusalRule.of(412, "concurrency.version_mismatch", "Resource has changed"))
        .build();
  }

  static Contract stripe() {
    Contract.Builder stripe =
        oneDay()
            .name("stripe")
            .key(KeyRule.of(HEADER, KeyRule.Form.ASCII, LONGEST_STRIPE_KEY))
            .coverage(Coverage.everyWrite(false).withMethods(Set.of("POST")))
            .scope(ScopeRule.TENANT)
            .keptStatuses(KeptStatuses.allBut(Set.of(401, 429)))
            .replayHeaders(ReplayHeaders.of("Idempotent-Replayed", false))
            .errors(ErrorFormat.STRIPE)
            .ifMatch(IfMatchRule.of(false, true));
    return spelled(stripe, code -> code.replace('.', '_'))
        .refusal(
            Refusal.PAYLOAD_MISMATCH,
            RefusalRule.of(400, ErrorFormat.IDEMPOTENCY_ERROR, "Key used for another request"))
        .refusal(
            Refusal.IN_FLIGHT,
            RefusalRule.of(409, "idempotency_key_in_use", "The first request has not ended"))
        .build();
  }

  /** Returns strict, with outcomes of every kind kept for 24 hours. */
  private static Contract.Builder oneDay() {
    return strict().toBuilder().terms(Terms.DEFAULT.withRetention(DAY, DAY));
  }

  /** Sets the refusals of strict, with their codes in the spelling of another API. */
  private static Contract.Builder spelled(
      Contract.Builder contract, UnaryOperator<String> spelling) {
    strictRefusals()
        .forEach(
            (refusal, rule) ->
                contract.refusal(
                    refusal,
                    RefusalRule.of(rule.status(), spelling.apply(rule.code()), rule.title())));
    return contract;
  }

  private static Map<Refusal, RefusalRule> strictRefusals() {
    Map<Refusal, RefusalRule> rules = new EnumMap<>(Refusal.class);
    rules.put(
        Refusal.CALLER_REQUIRED,
        RefusalRule.of(401, "auth.required", "Authentication is required"));
    rules.put(
        Refusal.BODY_TOO_LARGE,
        RefusalRule.of(413, "request.body_too_large", "Request body is too large"));
    rules.put(
        Refusal.BODY_REFUSED,
        RefusalRule.of(400, "request.body_refused", "Request body has no single meaning"));
    rules.put(Refusal.RATE_LIMITED, RefusalRule.of(429, "rate.limited", "Too many requests"));
    rules.put(
        Refusal.KEY_REQUIRED,
        RefusalRule.of(400, "idempotency.key_required", "Idempotency-Key is missing"));
    rules.put(
        Refusal.KEY_INVALID,
        RefusalRule.of(400, "idempotency.key_invalid", "Idempotency-Key is not accepted"));
    rules.put(
        Refusal.PAYLOAD_MISMATCH,
        RefusalRule.of(409, "idempotency.payload_mismatch", "Key used for another request"));
    rules.put(
        Refusal.IN_FLIGHT,
        RefusalRule.of(409, "idempotency.in_flight", "The first request has not ended"));
    rules.put(
        Refusal.UNCERTAIN,
        RefusalRule.of(409, "idempotency.uncertain", "An earlier request may have taken effect"));
    rules.put(
        Refusal.ANSWER_NOT_KEPT,
        RefusalRule.of(409, "idempotency.answer_not_kept", "The answer was too large to keep"));
    rules.put(
        Refusal.OUTCOME_UNREADABLE,
        RefusalRule.of(500, "idempotency.outcome_unreadable", "The answer cannot be read"));
    rules.put(
        Refusal.TOO_MANY_KEYS,
        RefusalRule.of(429, "idempotency.too_many_keys", "Too many keys are in use"));
    rules.put(
        Refusal.TOO_MANY_BYTES,
        RefusalRule.of(413, "idempotency.too_many_bytes", "Too many answers are kept"));
    rules.put(
        Refusal.TOO_MANY_IN_FLIGHT,
        RefusalRule.of(429, "idempotency.too_many_in_flight", "Too many requests in execution"));
    rules.put(
        Refusal.STORE_UNAVAILABLE,
        RefusalRule.of(503, "idempotency.store_unavailable", "Nothing was stored"));
    rules.put(
        Refusal.OUTCOME_UNKNOWN,
        RefusalRule.of(503, "idempotency.outcome_unknown", "The request may have taken effect"));
    rules.put(Refusal.CIRCUIT_OPEN, RefusalRule.of(503, "circuit.open", "Nothing was executed"));
    rules.put(
        Refusal.NOT_GUARDED,
        RefusalRule.of(500, "idempotency.not_guarded", "Nothing was executed"));
    rules.put(
        Refusal.IF_MATCH_REQUIRED,
        RefusalRule.of(428, "concurrency.etag_required", "If-Match is missing"));
    rules.put(
        Refusal.IF_MATCH_INVALID,
        RefusalRule.of(400, "concurrency.if_match_invalid", "If-Match is not accepted"));
    rules.put(
        Refusal.VERSION_MISMATCH,
        RefusalRule.of(409, "concurrency.version_mismatch", "Resource has changed"));
    return rules;
  }
}
