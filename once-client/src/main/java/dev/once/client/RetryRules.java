package dev.once.client;

import dev.once.client.internal.RetryAfter;
import dev.once.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * When an operation is sent again: data, because APIs differ. There is one for each HTTP contract
 * of Once, and {@link #plain} for servers that know no keys. Immutable.
 */
public final class RetryRules {
  private static final Set<Integer> GATEWAY_ERRORS = Set.of(502, 503, 504);
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final Set<String> IDEMPOTENT = Set.of("PUT", "DELETE");
  private static final Set<String> MISMATCHES =
      Stream.concat(
              spellings("concurrency.version_mismatch"), Stream.of("planning.concurrency_mismatch"))
          .collect(Collectors.toUnmodifiableSet());

  /** Errors that say: an earlier request with this key took effect, or may have. */
  private static final Set<String> UNCERTAIN =
      Stream.of(
              "idempotency.uncertain",
              "idempotency.answer_not_kept",
              "idempotency.outcome_unreadable")
          .flatMap(RetryRules::spellings)
          .collect(Collectors.toUnmodifiableSet());

  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int ACCEPTED = 202;

  private final String name;
  private final Optional<String> keyHeader;
  private final boolean isKeyQuoted;
  private final Set<Integer> retriedStatuses;
  private final boolean retriesEvery5xx;
  private final Set<String> inFlightCodes;
  private final boolean retriesInFlight;
  private final boolean keepsFailures;
  private final boolean followsStatusLinks;
  private final Map<String, String> replayHeader;
  private final Duration inFlightPause;
  private final Backoff backoff;
  private final int maxAttempts;
  private final Duration retention;

  private RetryRules(Builder builder) {
    this.name = builder.name;
    this.keyHeader = builder.keyHeader;
    this.isKeyQuoted = builder.isKeyQuoted;
    this.retriedStatuses = Set.copyOf(builder.retriedStatuses);
    this.retriesEvery5xx = builder.retriesEvery5xx;
    this.inFlightCodes = Set.copyOf(builder.inFlightCodes);
    this.retriesInFlight = builder.retriesInFlight;
    this.keepsFailures = builder.keepsFailures;
    this.followsStatusLinks = builder.followsStatusLinks;
    this.replayHeader = Map.copyOf(builder.replayHeader);
    this.inFlightPause = builder.inFlightPause;
    this.backoff = builder.backoff;
    this.maxAttempts = builder.maxAttempts;
    this.retention = builder.retention;
  }

  /** Timeouts, 502, 503, 504 and a 429 with a window are retried; 409 and other errors never. */
  public static RetryRules strict() {
    return new Builder("strict").build();
  }

  /** As strict, and every 5xx is retried. */
  public static RetryRules planning() {
    Builder planning = new Builder("planning");
    planning.retriesEvery5xx = true;
    return planning.build();
  }

  /**
   * A 409 {@code CONCURRENT_REQUEST} is retried after 2 seconds, or later if the server says so.
   * The server repeats every answer for 24 hours, also a 5xx, so that the same key cannot succeed
   * after one.
   */
  public static RetryRules mobile() {
    Builder mobile = new Builder("mobile");
    mobile.inFlightCodes = Set.of("CONCURRENT_REQUEST");
    mobile.retriesInFlight = true;
    mobile.keepsFailures = true;
    return mobile.build();
  }

  /** A 202 is followed by its status link, and the request is repeated when it has ended. */
  public static RetryRules async() {
    Builder async = new Builder("async");
    async.followsStatusLinks = true;
    async.replayHeader = Map.of("X-Idempotency-Status", "HIT");
    return async.build();
  }

  /** The key is a structured string, and a 409 for a request in flight is retried. */
  public static RetryRules ietf() {
    Builder ietf = new Builder("ietf");
    ietf.isKeyQuoted = true;
    ietf.retriesInFlight = true;
    return ietf.build();
  }

  /**
   * A 409 {@code idempotency_key_in_use} is retried; the server repeats every answer, also a 5xx.
   */
  public static RetryRules stripe() {
    Builder stripe = new Builder("stripe");
    stripe.inFlightCodes = Set.of("idempotency_key_in_use");
    stripe.retriesInFlight = true;
    stripe.keepsFailures = true;
    stripe.replayHeader = Map.of("Idempotent-Replayed", "true");
    return stripe.build();
  }

  /**
   * For servers that know no keys: a write of which something was sent is retried only if its
   * method is idempotent.
   */
  public static RetryRules plain() {
    Builder plain = new Builder("plain");
    plain.keyHeader = Optional.empty();
    return plain.build();
  }

  /** Returns the rules of a contract by its name. */
  public static RetryRules named(String name) {
    return List.of(strict(), planning(), mobile(), async(), ietf(), stripe(), plain()).stream()
        .filter(it -> it.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "retry rules must be strict, planning, mobile, async, ietf, stripe or plain,"
                        + " got "
                        + name));
  }

  public Builder toBuilder() {
    return new Builder(this);
  }

  public String name() {
    return name;
  }

  public Backoff backoff() {
    return backoff;
  }

  /** Returns how often an operation is sent while a person waits. */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** Returns how long the server remembers a key. */
  public Duration retention() {
    return retention;
  }

  /** Returns the headers that carry a key. */
  public Map<String, String> headers(String key) {
    return keyHeader
        .map(header -> Map.of(header, isKeyQuoted ? quoted(key) : key))
        .orElse(Map.of());
  }

  /** Returns the headers that give a request a key, unless it needs none or has one. */
  Map<String, String> newKey(String method, Predicate<String> hasHeader) {
    if (!isWrite(method) || keyHeader.filter(it -> !hasHeader.test(it)).isEmpty()) {
      return Map.of();
    }
    return headers(UUID.randomUUID().toString());
  }

  /** Returns the name of these rules, and how a server of theirs is told a key. */
  String contract() {
    String header = keyHeader.orElse("without keys");
    return name + " (" + (isKeyQuoted ? '"' + header + '"' : header) + ")";
  }

  private static String quoted(String key) {
    return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns what follows from the outcome of an attempt of {@code method}. */
  Decision decide(String method, AttemptOutcome outcome) {
    return outcome
        .answer()
        .map(it -> decide(method, it))
        .orElseGet(() -> unanswered(method, outcome));
  }

  /** Returns whether a request of {@code method} needs a key. */
  static boolean isWrite(String method) {
    return !READS.contains(method);
  }

  private Decision unanswered(String method, AttemptOutcome outcome) {
    return !outcome.isSent() || isRepeatable(method)
        ? new Decision.Retry(Duration.ZERO)
        : new Decision.Unknown(Advice.CHECK_FIRST);
  }

  /** Returns whether sending a request again cannot execute it again. */
  boolean isRepeatable(String method) {
    return keyHeader.isPresent() || !isWrite(method) || IDEMPOTENT.contains(method);
  }

  private Decision decide(String method, Answer answer) {
    int status = answer.status();
    if (answer.code().filter(UNCERTAIN::contains).isPresent()) {
      return new Decision.Unknown(Advice.CHECK_FIRST);
    }
    if (followsStatusLinks && status == ACCEPTED && answer.header("Location").isPresent()) {
      return new Decision.Follow(answer.header("Location").get(), inFlightPause(answer));
    }
    if (status / 100 == 2) {
      return new Decision.Done(isReplayed(answer));
    }
    if (status / 100 == 3) { // A write may have succeeded so; a portal answers in its place.
      return new Decision.Unknown(Advice.CHECK_FIRST);
    }
    if (keepsFailures && isReplayed(answer) && isTransient(status)) {
      return new Decision.Refused(Advice.NEW_OPERATION);
    }
    return status >= 500 ? serverError(method, answer) : refusal(answer);
  }

  /** Returns whether the same request might succeed later, if its answer were not kept. */
  private static boolean isTransient(int status) {
    return status >= 500 || status == 401 || status == 403 || status == TOO_MANY_REQUESTS;
  }

  private Decision serverError(String method, Answer answer) {
    if (retriesEvery5xx || retriedStatuses.contains(answer.status())) {
      return isRepeatable(method)
          ? new Decision.Retry(window(answer).orElse(Duration.ZERO))
          : new Decision.Unknown(Advice.CHECK_FIRST);
    }
    return keepsFailures
        ? new Decision.Refused(Advice.NEW_OPERATION)
        : new Decision.Unknown(isRepeatable(method) ? Advice.SEND_AGAIN : Advice.CHECK_FIRST);
  }

  private Decision refusal(Answer answer) {
    int status = answer.status();
    Optional<String> code = answer.code();
    if (status == TOO_MANY_REQUESTS) {
      return window(answer)
          .<Decision>map(Decision.Retry::new)
          .orElse(new Decision.Refused(Advice.SEND_AGAIN));
    }
    if (status == CONFLICT && isInFlight(answer)) {
      return retriesInFlight
          ? new Decision.Retry(inFlightPause(answer))
          : new Decision.Unknown(Advice.SEND_AGAIN);
    }
    if (status == PRECONDITION_FAILED || code.filter(MISMATCHES::contains).isPresent()) {
      return new Decision.Refused(Advice.REFETCH);
    }
    if (status == 401 || status == 403) {
      return new Decision.Refused(Advice.SIGN_IN);
    }
    return retriedStatuses.contains(status)
        ? new Decision.Retry(window(answer).orElse(Duration.ZERO))
        : new Decision.Refused(Advice.CORRECT);
  }

  private boolean isInFlight(Answer answer) {
    return answer.code().filter(inFlightCodes::contains).isPresent();
  }

  /** Returns a code as the contracts spell it. */
  private static Stream<String> spellings(String code) {
    return Stream.of(code, code.toUpperCase(Locale.ROOT).replace('.', '_'), code.replace('.', '_'));
  }

  private Duration inFlightPause(Answer answer) {
    return window(answer).filter(it -> it.compareTo(inFlightPause) > 0).orElse(inFlightPause);
  }

  private boolean isReplayed(Answer answer) {
    return replayHeader.entrySet().stream()
        .anyMatch(
            it -> answer.header(it.getKey()).filter(it.getValue()::equalsIgnoreCase).isPresent());
  }

  private static Optional<Duration> window(Answer answer) {
    return RetryAfter.of(answer.headers(), Instant.now());
  }

  @Override
  public String toString() {
    return name;
  }

  /** Changes rules for an API of its own. */
  public static final class Builder {
    private String name;
    private Optional<String> keyHeader = Optional.of("Idempotency-Key");
    private boolean isKeyQuoted;
    private Set<Integer> retriedStatuses = new HashSet<>(GATEWAY_ERRORS);
    private boolean retriesEvery5xx;
    private Set<String> inFlightCodes = Set.of("idempotency.in_flight");
    private boolean retriesInFlight;
    private boolean keepsFailures;
    private boolean followsStatusLinks;
    private Map<String, String> replayHeader = Map.of("Idempotency-Replayed", "true");
    private Duration inFlightPause = Duration.ofSeconds(2);
    private Backoff backoff = Backoff.INTERACTIVE;
    private int maxAttempts = 5;
    private Duration retention = Duration.ofHours(24);

    private Builder(String name) {
      this.name = name;
    }

    private Builder(RetryRules rules) {
      this.name = rules.name;
      this.keyHeader = rules.keyHeader;
      this.isKeyQuoted = rules.isKeyQuoted;
      this.retriedStatuses = new HashSet<>(rules.retriedStatuses);
      this.retriesEvery5xx = rules.retriesEvery5xx;
      this.inFlightCodes = rules.inFlightCodes;
      this.retriesInFlight = rules.retriesInFlight;
      this.keepsFailures = rules.keepsFailures;
      this.followsStatusLinks = rules.followsStatusLinks;
      this.replayHeader = rules.replayHeader;
      this.inFlightPause = rules.inFlightPause;
      this.backoff = rules.backoff;
      this.maxAttempts = rules.maxAttempts;
      this.retention = rules.retention;
    }

    /** Sets the header of the key; {@code isQuoted} sends it as a structured string. */
    public Builder keyHeader(String header, boolean isQuoted) {
      this.keyHeader = Optional.of(header);
      this.isKeyQuoted = isQuoted;
      return this;
    }

    /** Sets which statuses are retried. A 429 is retried if the server names a time. */
    public Builder retriedStatuses(Set<Integer> statuses) {
      for (int status : statuses) {
        Limits.range("status", status, 400, 599);
      }
      this.retriedStatuses = new HashSet<>(statuses);
      return this;
    }

    /** Sets the error codes of a 409 that mean: the first request has not ended. */
    public Builder inFlightCodes(Set<String> codes) {
      this.inFlightCodes = Set.copyOf(codes);
      return this;
    }

    public Builder retriesInFlight(boolean retriesInFlight) {
      this.retriesInFlight = retriesInFlight;
      return this;
    }

    /** Sets whether the server repeats a 5xx, so that the same key cannot succeed after one. */
    public Builder keepsFailures(boolean keepsFailures) {
      this.keepsFailures = keepsFailures;
      return this;
    }

    /** Sets the header and the value by which the server marks a replay. */
    public Builder replayHeader(String header, String value) {
      this.replayHeader = Map.of(header, value);
      return this;
    }

    /** Sets whether every 5xx is retried. */
    public Builder retriesEvery5xx(boolean retriesEvery5xx) {
      this.retriesEvery5xx = retriesEvery5xx;
      return this;
    }

    /** Sets whether a 202 with a {@code Location} means that the request is in execution. */
    public Builder followsStatusLinks(boolean followsStatusLinks) {
      this.followsStatusLinks = followsStatusLinks;
      return this;
    }

    public Builder backoff(Backoff backoff) {
      this.backoff = backoff;
      return this;
    }

    public Builder maxAttempts(int maxAttempts) {
      Limits.range("maxAttempts", maxAttempts, 1, 100);
      this.maxAttempts = maxAttempts;
      return this;
    }

    /** Sets the shortest pause after the answer that the first request has not ended. */
    public Builder inFlightPause(Duration pause) {
      Limits.range("inFlightPause", pause, Duration.ZERO, RetryAfter.LONGEST);
      this.inFlightPause = pause;
      return this;
    }

    /** Sets how long the server remembers a key. */
    public Builder retention(Duration retention) {
      Limits.range("retention", retention, Duration.ofSeconds(1), Duration.ofDays(3650));
      this.retention = retention;
      return this;
    }

    public Builder name(String name) {
      Limits.text("name", name, 1, 50);
      this.name = name.toLowerCase(Locale.ROOT);
      return this;
    }

    public RetryRules build() {
      return new RetryRules(this);
    }
  }
}
