package dev.once.http;

import dev.once.Terms;
import dev.once.json.Redactor;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an HTTP API promises about keys, retries and revisions: one immutable value. Once comes with
 * six contracts. A custom one changes settings of an existing one:
 *
 * <pre>{@code
 * Contract ours = Contract.STRICT.toBuilder().name("ours").maxWait(Duration.ofSeconds(5)).build();
 * }</pre>
 */
public final class Contract {
  /** The limit of every contract, because bodies are read into memory before they are compared. */
  public static final int MAX_BODY_BYTES = 64 << 20;

  private static final int FIRST_ERROR = 400;

  /**
   * Headers that no contract may keep: they belong to one client, one connection or one moment.
   * Declared before the contracts, whose constructors read it.
   */
  private static final Set<String> NEVER_KEPT =
      Set.of(
          "set-cookie",
          "set-cookie2",
          "authorization",
          "proxy-authorization",
          "proxy-authenticate",
          "www-authenticate",
          "authentication-info",
          "connection",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length",
          "date");

  /** The default: every write requires a key. */
  public static final Contract STRICT = Contracts.strict();

  /** Keys are optional, and some codes start with {@code planning.}. */
  public static final Contract PLANNING = Contracts.planning();

  /** Every write requires a UUID v4; one key scope per caller; all errors are replayed too. */
  public static final Contract MOBILE = Contracts.mobile();

  /** A duplicate in flight gets 202 and a link to the state of the operation. */
  public static final Contract ASYNC = Contracts.async();

  /** The IETF's draft on the Idempotency-Key header, version 07. */
  public static final Contract IETF = Contracts.ietf();

  /** The behaviour of Stripe's API. */
  public static final Contract STRIPE = Contracts.stripe();

  private final String name;
  private final KeyRule key;
  private final Coverage coverage;
  private final ScopeRule scope;
  private final KeptStatuses keptStatuses;
  private final Set<String> keptHeaders;
  private final Set<String> comparedHeaders;
  private final Optional<Redactor> redaction;
  private final Terms terms;
  private final int maxBodyBytes;
  private final ReplayHeaders replayHeaders;
  private final ErrorFormat errors;
  private final Map<Refusal, RefusalRule> refusals;
  private final IfMatchRule ifMatch;
  private final Optional<String> operations;
  private final URI problems;

  Contract(
      String name,
      KeyRule key,
      Coverage coverage,
      ScopeRule scope,
      KeptStatuses keptStatuses,
      Set<String> keptHeaders,
      Set<String> comparedHeaders,
      Optional<Redactor> redaction,
      Terms terms,
      int maxBodyBytes,
      ReplayHeaders replayHeaders,
      ErrorFormat errors,
      Map<Refusal, RefusalRule> refusals,
      IfMatchRule ifMatch,
      Optional<String> operations,
      URI problems) {
    this.keptHeaders = lowerCase(keptHeaders);
    this.comparedHeaders = lowerCase(comparedHeaders);
    for (String header : this.keptHeaders) {
      if (NEVER_KEPT.contains(header)) {
        throw new IllegalArgumentException(
            "header " + header + " is never kept: take it out of the kept headers");
      }
    }
    for (Refusal refusal : Refusal.values()) {
      if (!refusals.containsKey(refusal)) {
        throw new IllegalArgumentException(
            "contract " + name + " must say how it words " + refusal + ": add a rule for it");
      }
    }
    if (maxBodyBytes < 0 || maxBodyBytes > MAX_BODY_BYTES) {
      throw new IllegalArgumentException(
          "largest body must have 0 to " + MAX_BODY_BYTES + " bytes, got " + maxBodyBytes);
    }
    operations.ifPresent(path -> checkOperations(path, scope));
    int inFlight = Objects.requireNonNull(refusals.get(Refusal.IN_FLIGHT)).status();
    if (operations.isPresent() != inFlight < FIRST_ERROR) {
      throw new IllegalArgumentException(
          "a path of operations goes together with a status below 400 for IN_FLIGHT, got "
              + operations.orElse("none")
              + " and "
              + inFlight);
    }
    this.name = name;
    this.key = key;
    this.coverage = coverage;
    this.scope = scope;
    this.keptStatuses = keptStatuses;
    this.redaction = redaction;
    this.terms = terms;
    this.maxBodyBytes = maxBodyBytes;
    this.replayHeaders = replayHeaders;
    this.errors = errors;
    this.refusals = Map.copyOf(refusals);
    this.ifMatch = ifMatch;
    this.operations = operations;
    this.problems = problems;
  }

  /** Returns the six contracts that come with Once. */
  public static List<Contract> all() {
    return List.of(STRICT, PLANNING, MOBILE, ASYNC, IETF, STRIPE);
  }

  /**
   * Returns the contract with this name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the known names
   */
  public static Contract named(String name) {
    return all().stream()
        .filter(it -> it.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "contract must be one of "
                        + String.join(", ", all().stream().map(Contract::name).toList())
                        + ", got "
                        + name));
  }

  /** Returns the name in configuration, logs and pages. */
  public String name() {
    return name;
  }

  /** Returns which keys are accepted. */
  public KeyRule key() {
    return key;
  }

  /** Returns which requests need a key or may have one. */
  public Coverage coverage() {
    return coverage;
  }

  /** Returns the scope in which a key is unique. */
  public ScopeRule scope() {
    return scope;
  }

  /** Returns which responses are kept and replayed. */
  public KeptStatuses keptStatuses() {
    return keptStatuses;
  }

  /** Returns which headers are kept with responses, in lower case. */
  public Set<String> keptHeaders() {
    return keptHeaders;
  }

  /** Returns which request headers a request is compared by, besides If-Match; in lower case. */
  public Set<String> comparedHeaders() {
    return comparedHeaders;
  }

  /**
   * Returns what removes from JSON answers what must not be stored; replays lack it too. If there
   * is one, phone numbers in answers of other text are masked as well.
   */
  public Optional<Redactor> redaction() {
    return redaction;
  }

  /** Returns the times and sizes. */
  public Terms terms() {
    return terms;
  }

  /** Returns the largest request body. */
  public int maxBodyBytes() {
    return maxBodyBytes;
  }

  /** Returns the headers that report whether an answer is a replay. */
  public ReplayHeaders replayHeaders() {
    return replayHeaders;
  }

  /** Returns the shape of refusals. */
  public ErrorFormat errors() {
    return errors;
  }

  /** Returns how each refusal is worded. */
  public Map<Refusal, RefusalRule> refusals() {
    return refusals;
  }

  /** Returns whether If-Match is required, what it may contain, and where else it may be sent. */
  public IfMatchRule ifMatch() {
    return ifMatch;
  }

  /** Returns the path under which a client can read the state of an operation in flight. */
  public Optional<String> operations() {
    return operations;
  }

  /** Returns the base address of the pages about refusals; the code is appended. */
  public URI problems() {
    return problems;
  }

  public Builder toBuilder() {
    return new Builder(this);
  }

  @Override
  public String toString() {
    return "contract " + name;
  }

  RefusalRule rule(Refusal refusal) {
    RefusalRule rule = refusals.get(refusal);
    if (rule == null) {
      throw new AssertionError("no rule for " + refusal);
    }
    return rule;
  }

  static void checkOperations(String path, ScopeRule scope) {
    if (!path.startsWith("/") || !path.endsWith("/") || path.length() < 3) {
      throw new IllegalArgumentException(
          "path of operations must have a name between a / and another, got " + path);
    }
    if (!scope.namesCaller()) {
      throw new IllegalArgumentException(
          "operations are for their callers alone, but scope "
              + scope
              + " does not name the caller: choose one that does");
    }
  }

  static Set<String> lowerCase(Set<String> names) {
    Set<String> lower = new TreeSet<>();
    names.forEach(it -> lower.add(it.toLowerCase(Locale.ROOT)));
    return Set.copyOf(lower);
  }

  /** Builds a contract; discarded after {@link #build}. */
  public static final class Builder {
    private String name;
    private KeyRule key;
    private Coverage coverage;
    private ScopeRule scope;
    private KeptStatuses keptStatuses;
    private Set<String> keptHeaders;
    private Set<String> comparedHeaders;
    private Optional<Redactor> redaction;
    private Terms terms;
    private int maxBodyBytes;
    private ReplayHeaders replayHeaders;
    private ErrorFormat errors;
    private final Map<Refusal, RefusalRule> refusals = new EnumMap<>(Refusal.class);
    private IfMatchRule ifMatch;
    private Optional<String> operations;
    private URI problems;

    private Builder(Contract from) {
      name = from.name;
      key = from.key;
      coverage = from.coverage;
      scope = from.scope;
      keptStatuses = from.keptStatuses;
      keptHeaders = from.keptHeaders;
      comparedHeaders = from.comparedHeaders;
      redaction = from.redaction;
      terms = from.terms;
      maxBodyBytes = from.maxBodyBytes;
      replayHeaders = from.replayHeaders;
      errors = from.errors;
      refusals.putAll(from.refusals);
      ifMatch = from.ifMatch;
      operations = from.operations;
      problems = from.problems;
    }

    public Builder name(String name) {
      this.name = name;
      return this;
    }

    public Builder key(KeyRule key) {
      this.key = key;
      return this;
    }

    public Builder coverage(Coverage coverage) {
      this.coverage = coverage;
      return this;
    }

    public Builder scope(ScopeRule scope) {
      this.scope = scope;
      return this;
    }

    public Builder keptStatuses(KeptStatuses keptStatuses) {
      this.keptStatuses = keptStatuses;
      return this;
    }

    public Builder keptHeaders(Set<String> keptHeaders) {
      this.keptHeaders = keptHeaders;
      return this;
    }

    /** Sets the request headers that make two requests different if their values are. */
    public Builder comparedHeaders(Set<String> comparedHeaders) {
      this.comparedHeaders = comparedHeaders;
      return this;
    }

    /**
     * Sets what is removed from JSON answers before they are kept; empty keeps them as they are.
     */
    public Builder redaction(Optional<Redactor> redaction) {
      this.redaction = redaction;
      return this;
    }

    public Builder terms(Terms terms) {
      this.terms = terms;
      return this;
    }

    /** Sets how long a duplicate waits for the first request's answer before it is refused. */
    public Builder maxWait(Duration maxWait) {
      return terms(terms.withMaxWait(maxWait));
    }

    public Builder maxBodyBytes(int maxBodyBytes) {
      this.maxBodyBytes = maxBodyBytes;
      return this;
    }

    public Builder replayHeaders(ReplayHeaders replayHeaders) {
      this.replayHeaders = replayHeaders;
      return this;
    }

    public Builder errors(ErrorFormat errors) {
      this.errors = errors;
      return this;
    }

    public Builder refusal(Refusal refusal, RefusalRule rule) {
      refusals.put(refusal, rule);
      return this;
    }

    public Builder ifMatch(IfMatchRule ifMatch) {
      this.ifMatch = ifMatch;
      return this;
    }

    public Builder operations(Optional<String> path) {
      this.operations = path;
      return this;
    }

    public Builder problems(URI problems) {
      this.problems = problems;
      return this;
    }

    public Contract build() {
      return new Contract(
          name,
          key,
          coverage,
          scope,
          keptStatuses,
          keptHeaders,
          comparedHeaders,
          redaction,
          terms,
          maxBodyBytes,
          replayHeaders,
          errors,
          refusals,
          ifMatch,
          operations,
          problems);
    }
  }
}
