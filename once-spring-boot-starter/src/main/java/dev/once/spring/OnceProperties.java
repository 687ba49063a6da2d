package dev.once.spring;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.once.Recovery;
import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.http.ScopeRule;
import dev.once.servlet.Enforcement;
import dev.once.servlet.Unrouted;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings under {@code once}. Settings that are not set have the contract's value.
 *
 * @param enabled Whether Once does anything at all.
 * @param contract What the API promises: strict, planning, mobile, async, ietf or stripe.
 * @param mode How routes without a mode of their own are executed. Unless set: in a transaction,
 *     but leased under a contract that shows operations in flight.
 * @param lease How long a crashed owner blocks its key at most.
 * @param retention How long successful answers are replayed.
 * @param failedRetention How long error answers are replayed.
 * @param maxWait How long a duplicate waits for the first request's answer.
 * @param recovery What happens after an owner's lease expired: with rerun the next request
 *     executes, with ask nothing executes until the outcome is reconciled.
 * @param maxRunTime How long an operation may run; then it is interrupted and its lease runs out.
 * @param maxCompletionTime How long recording an answer is retried while the store is unavailable.
 * @param drainTime How long shutdown waits for running operations.
 * @param maxStored The largest answer that is kept.
 * @param redact Whether secrets are removed from JSON answers, and phone numbers from all text,
 *     before they are kept.
 * @param fingerprintSecret The secret for fingerprints as HMACs, which reveal nothing without it;
 *     32 bytes or more.
 * @param store Where records are kept: jdbc or redis. Needs once-redis for Redis.
 * @param dataSource The name of the DataSource that has the tables of Once; the only or primary one
 *     unless set.
 * @param transactionManager The name of that DataSource's transaction manager; the only or primary
 *     one unless set.
 * @param schema Whether the tables are created at start, or only checked.
 * @param sealing How answers, jobs and webhooks are encrypted where they are kept.
 * @param limits The limits of each tenant.
 * @param http Settings for HTTP only.
 */
@ConfigurationProperties("once")
public record OnceProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("strict") String contract,
    Route.@Nullable Mode mode,
    @Nullable Duration lease,
    @Nullable Duration retention,
    @Nullable Duration failedRetention,
    @Nullable Duration maxWait,
    @Nullable Recovery recovery,
    @Nullable Duration maxRunTime,
    @Nullable Duration maxCompletionTime,
    @Nullable Duration drainTime,
    @Nullable DataSize maxStored,
    @Nullable Boolean redact,
    @Nullable String fingerprintSecret,
    @DefaultValue("jdbc") StoreKind store,
    @Nullable String dataSource,
    @Nullable String transactionManager,
    @DefaultValue("apply") SchemaAction schema,
    @DefaultValue Sealed sealing,
    @DefaultValue Limits limits,
    @DefaultValue Http http) {

  /** Returns how methods without a mode of their own are executed. */
  Route.Mode methodMode() {
    return mode == null ? Route.Mode.TRANSACTIONAL : mode;
  }

  /** Returns how routes without a mode of their own are executed. */
  Route.Mode routeMode(Contract contract) {
    boolean showsOperations = contract.operations().isPresent();
    if (showsOperations && mode == Route.Mode.TRANSACTIONAL) {
      throw new MisconfiguredException(
          "contract "
              + contract.name()
              + " shows operations in flight, but a transaction hides them until its commit.",
          "Leave out once.mode, or set it to leased.");
    }
    return showsOperations ? Route.Mode.LEASED : methodMode();
  }

  /** Where records are kept. */
  public enum StoreKind {
    /** In the application's database. */
    JDBC,
    /**
     * In Redis: there is no transaction to join, and an effect whose record is lost may run again.
     */
    REDIS
  }

  /** What happens to the tables at start. */
  public enum SchemaAction {
    /** Create or migrate them. */
    APPLY,
    /** Only check that they exist. */
    CHECK
  }

  /**
   * Settings under {@code once.sealing}.
   *
   * @param current The id of the key that encrypts; nothing is encrypted unless set.
   * @param keys The keys by their ids, 32 bytes in base64 each; all but the current one only
   *     decrypt.
   */
  public record Sealed(@Nullable String current, @DefaultValue Map<String, String> keys) {
    /** Shows ids alone. */
    @Override
    public String toString() {
      return "Sealed[current=" + current + ", ids=" + keys.keySet() + "]";
    }
  }

  /**
   * Settings under {@code once.limits}. A limit that is not set does not apply.
   *
   * @param maxLiveKeys How many keys of a tenant may be live, that is, not expired.
   * @param maxBytes How many bytes of answers may be kept for a tenant.
   * @param maxInFlight How many operations of a tenant this process may execute at the same time.
   */
  public record Limits(
      @Nullable Long maxLiveKeys, @Nullable DataSize maxBytes, @Nullable Long maxInFlight) {}

  /**
   * Settings under {@code once.http}.
   *
   * @param tenant The tenant of an application that has only one.
   * @param allowAnonymous Whether requests without a principal share the caller "anonymous".
   * @param include Patterns of the paths that Once covers.
   * @param exclude Patterns of the paths that Once does not cover, even if they are included.
   * @param enabled Whether requests are guarded.
   * @param enforcement Whether requests without a valid key are refused, or pass and are counted.
   * @param unrouted Whether writes that no handler is known for pass or are refused.
   * @param routes Settings of single routes; the first whose path matches counts.
   * @param keptHeaders Response headers that are kept besides those of the contract.
   * @param comparedHeaders Request headers that make two requests different if their values are.
   * @param maxBody The largest request body.
   * @param maxDepth The deepest nesting of a JSON body.
   * @param maxDigits How many significant digits a number in a JSON body may have.
   * @param maxWaiting How many duplicates may wait at the same time.
   * @param problems The URI of the pages about refusals; the code is appended.
   */
  public record Http(
      @Nullable String tenant,
      @DefaultValue("false") boolean allowAnonymous,
      @DefaultValue("/**") List<String> include,
      @DefaultValue List<String> exclude,
      @DefaultValue("true") boolean enabled,
      @DefaultValue("enforce") Enforcement enforcement,
      @DefaultValue("pass") Unrouted unrouted,
      @DefaultValue List<RouteChange> routes,
      @DefaultValue Set<String> keptHeaders,
      @DefaultValue Set<String> comparedHeaders,
      @Nullable DataSize maxBody,
      @Nullable Integer maxDepth,
      @Nullable Integer maxDigits,
      @DefaultValue("64") int maxWaiting,
      @Nullable String problems) {}

  /**
   * Settings under {@code once.http.routes[…]}, which count more than those of an {@link
   * Idempotent} and choose the route. A setting that is not set changes nothing.
   *
   * @param path A pattern of the routes, such as /v1/orders/{id} or /v1/payments/**.
   * @param methods The methods of the routes; all unless set.
   * @param mode How the routes are executed.
   * @param keyRequired Whether a request needs a key.
   * @param scopeRule The scope in which a key is unique.
   * @param comparedHeaders Request headers that make two requests different if their values are.
   * @param lease How long a crashed owner blocks its key at most.
   * @param retention How long successful answers are replayed.
   * @param failedRetention How long error answers are replayed.
   * @param maxWait How long a duplicate waits for the first request's answer.
   * @param recovery What happens after an owner's lease expired.
   */
  public record RouteChange(
      @DefaultValue("/**") String path,
      @DefaultValue Set<String> methods,
      Route.@Nullable Mode mode,
      @Nullable Boolean keyRequired,
      @Nullable ScopeRule scopeRule,
      @Nullable Set<String> comparedHeaders,
      @Nullable Duration lease,
      @Nullable Duration retention,
      @Nullable Duration failedRetention,
      @Nullable Duration maxWait,
      @Nullable Recovery recovery) {
    /** Reads methods in upper or lower case. */
    public RouteChange {
      methods =
          methods.stream().map(it -> it.toUpperCase(Locale.ROOT)).collect(toUnmodifiableSet());
    }
  }
}
