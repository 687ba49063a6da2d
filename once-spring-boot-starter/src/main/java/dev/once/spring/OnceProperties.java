package dev.once.spring;

import dev.once.Recovery;
import dev.once.http.Contract;
import dev.once.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings under {@code once}. What is not set is as the contract has it.
 *
 * @param enabled Whether Once does anything at all.
 * @param contract What the API promises: strict, planning, mobile, async, ietf or stripe.
 * @param mode How routes are executed that do not say so themselves: in a transaction unless set,
 *     but leased under a contract that shows operations in flight.
 * @param lease How long a crashed owner blocks its key at most.
 * @param retention How long successful answers are replayed.
 * @param failedRetention How long error answers are replayed.
 * @param maxWait How long a duplicate waits for the first request's answer.
 * @param recovery What happens after an owner vanished.
 * @param maxRunTime How long an operation may run; then it is interrupted and its lease runs out.
 * @param maxCompletionTime How long recording an answer is tried while the store is away.
 * @param drainTime How long shutdown waits for operations that run.
 * @param maxStored The largest answer that is kept.
 * @param redact Whether secrets and phone numbers are removed from JSON answers before they are
 *     kept.
 * @param fingerprintSecret Makes fingerprints unreadable to those who see the records; 32 bytes or
 *     more.
 * @param store Where records are kept: jdbc or redis. Needs once-redis for Redis.
 * @param schema Whether the tables are created at start, or only checked.
 * @param sealing How answers are encrypted where they are kept.
 * @param limits How much each tenant may have at a time.
 * @param http What concerns HTTP alone.
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
    @DefaultValue("apply") SchemaAction schema,
    @DefaultValue Sealed sealing,
    @DefaultValue Limits limits,
    @DefaultValue Http http) {

  /** How methods are executed that do not say so themselves. */
  Route.Mode methodMode() {
    return mode == null ? Route.Mode.TRANSACTIONAL : mode;
  }

  /** How routes are executed that do not say so themselves. */
  Route.Mode routeMode(Contract contract) {
    boolean showsOperations = contract.operations().isPresent();
    if (showsOperations && mode == Route.Mode.TRANSACTIONAL) {
      throw new MisconfiguredException(
          "contract "
              + contract.name()
              + " shows operations in flight, but nobody sees into a transaction.",
          "Leave out once.mode, or set it to leased.");
    }
    return showsOperations ? Route.Mode.LEASED : methodMode();
  }

  /** Where records are kept. */
  public enum StoreKind {
    /** In the application's database. */
    JDBC,
    /** In Redis: there is no transaction to join, and what Redis loses may run again. */
    REDIS
  }

  /** What is done about the tables at start. */
  public enum SchemaAction {
    /** Create or migrate them. */
    APPLY,
    /** Only check that they are there. */
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
   * Settings under {@code once.limits}. What is not set is not limited.
   *
   * @param maxLiveKeys Keys of a tenant that have not expired.
   * @param maxBytes Answers of a tenant that are kept.
   * @param maxInFlight Operations of a tenant that are executed here at the same time.
   */
  public record Limits(
      @Nullable Long maxLiveKeys, @Nullable DataSize maxBytes, @Nullable Long maxInFlight) {}

  /**
   * Settings under {@code once.http}.
   *
   * @param tenant The one tenant of an application that serves only one.
   * @param allowAnonymous Whether requests without a principal share the caller "anonymous".
   * @param include Paths that Once is about, as patterns.
   * @param exclude Paths that it is not about although they are included.
   * @param keptHeaders Response headers that are kept besides those of the contract.
   * @param maxBody The largest request body.
   * @param maxWaiting How many duplicates may wait at the same time.
   * @param problems Where the pages about refusals are; the code is appended.
   */
  public record Http(
      @Nullable String tenant,
      @DefaultValue("false") boolean allowAnonymous,
      @DefaultValue("/**") List<String> include,
      @DefaultValue List<String> exclude,
      @DefaultValue Set<String> keptHeaders,
      @Nullable DataSize maxBody,
      @DefaultValue("64") int maxWaiting,
      @Nullable String problems) {}
}
