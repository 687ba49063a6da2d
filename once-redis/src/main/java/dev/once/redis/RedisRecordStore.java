package dev.once.redis;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.RecordWatch;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.RedisCommand;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in Redis 6.2 or newer, one string each, and changes them by scripts: one round trip
 * a step, and the server's clock is the only one. All callers share one connection. Redis forgets
 * records by itself when their retention is over.
 *
 * <p>What is promised holds as long as Redis keeps what it acknowledged, which its settings decide:
 * with the ordinary ones a crash or a failover may lose the last second of records, and a retry of
 * what was lost executes again. The guide on operating Redis has the settings and what each means.
 *
 * <p>It lists no records: Redis keeps them in no order.
 */
public final class RedisRecordStore implements RecordStore, RecordWatch, AutoCloseable {
  /** The numbers in front of what {@code claim.lua} is given, and {@code complete.lua}. */
  private static final int CLAIM_BYTES = 27;

  private static final int COMPLETION_BYTES = 17;

  /** Where the numbers in answers of {@code claim.lua} are. */
  private static final int GRANTED_ATTEMPTS = 1;

  private static final int GRANTED_FENCE = 5;
  private static final int HELD_LEFT = 1;

  private final Scripting scripting;
  private final Bells bells;
  private final Packing packing;
  private final String prefix;
  private final Runnable afterClose;

  RedisRecordStore(
      Scripting scripting, Bells bells, Sealing sealing, String prefix, Runnable afterClose) {
    this.scripting = scripting;
    this.bells = bells;
    this.packing = Packing.of(sealing);
    this.prefix = prefix;
    this.afterClose = afterClose;
  }

  /** The store in the Redis at {@code uri}, over a client of its own with {@link #options}. */
  public static RedisRecordStore connect(RedisURI uri) {
    return builder(uri).build();
  }

  /** Settings for a store in the Redis at {@code uri}, which closes the client it makes. */
  public static RedisRecordStoreBuilder builder(RedisURI uri) {
    RedisClient client = RedisClient.create(uri);
    client.setOptions(options());
    return new RedisRecordStoreBuilder(client).ownsClient();
  }

  /** A store over {@code client}, which has to have {@link #options} or the like. */
  public static RedisRecordStore over(RedisClient client) {
    return builder(client).build();
  }

  /** A store over a cluster's {@code client}, which has to have {@link #clusterOptions} or so. */
  public static RedisRecordStore over(RedisClusterClient client) {
    return builder(client).build();
  }

  /** Settings for a store over {@code client}. */
  public static RedisRecordStoreBuilder builder(RedisClient client) {
    return new RedisRecordStoreBuilder(client);
  }

  /** Settings for a store over a cluster's {@code client}. */
  public static RedisRecordStoreBuilder builder(RedisClusterClient client) {
    return new RedisRecordStoreBuilder(client);
  }

  /**
   * What a client needs: it connects again by itself, and tells of a lost connection at once rather
   * than send again what may have been executed.
   */
  public static ClientOptions options() {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(RedisRecordStore::giveUp)
        .build();
  }

  /** The same for the client of a cluster. (Its options do not take the filter from others.) */
  public static ClusterClientOptions clusterOptions() {
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder(options());
    builder.replayFilter(RedisRecordStore::giveUp);
    return builder.build();
  }

  /** Lettuce asks this of what it would send again, and forgets it without telling its caller. */
  private static boolean giveUp(RedisCommand<?, ?, ?> command) {
    command.completeExceptionally(new RedisException("the connection was lost before the answer"));
    return true;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claim(request, false);
  }

  @Override
  public Claim reconcile(ClaimRequest request) {
    return claim(request, true);
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    byte[] numbers =
        ByteBuffer.allocate(COMPLETION_BYTES)
            .putLong(grant.fence())
            .putLong(micros(retention))
            .put((byte) (outcome.failed() ? 3 : 2))
            .array();
    byte[] packed = packing.pack(grant.key(), outcome);
    String change =
        change(Script.COMPLETE, grant.key(), numbers, number(ttlMillis(retention)), packed);
    requireOwned(grant, !change.equals("lost"));
  }

  @Override
  public void release(Claim.Granted grant) {
    String change = change(Script.RELEASE, grant.key(), number(grant.fence()));
    requireOwned(grant, change.equals("made"));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    String change = change(Script.RENEW, grant.key(), number(grant.fence()), number(micros(lease)));
    requireOwned(grant, change.equals("made"));
  }

  @Override
  public boolean reopen(Key key) {
    return change(Script.REOPEN, key).equals("made");
  }

  @Override
  public boolean expire(Key key) {
    return change(Script.EXPIRE, key).equals("made");
  }

  /** Removes nothing and returns zero: every record has a TTL, and Redis removes it by itself. */
  @Override
  public int purge(Purge purge) {
    return 0;
  }

  @Override
  public Optional<RecordView> find(Key key) {
    byte[] record = scripting.run(Script.FIND, key, name(key));
    return record == null
        ? Optional.empty()
        : Optional.of(new RecordBytes(record).view(key, packing));
  }

  @Override
  public Watch watch(Key key) {
    return RedisWatch.begin(name(key), bells, scripting);
  }

  /** Closes the connections that this store opened. */
  @Override
  public void close() {
    bells.close();
    scripting.close();
    afterClose.run();
  }

  private Claim claim(ClaimRequest request, boolean reconciling) {
    Key key = request.key();
    byte[] fingerprint = bytes(request.fingerprint().toString());
    byte[] correlation = bytes(request.correlation().toText());
    byte[] ask =
        ByteBuffer.allocate(CLAIM_BYTES + fingerprint.length + correlation.length)
            .put((byte) fingerprint.length)
            .putInt(correlation.length)
            .putLong(micros(request.lease()))
            .putLong(micros(request.retention()))
            .putInt(request.maxAttempts())
            .put((byte) RecordBytes.RECOVERIES.indexOf(request.recovery()))
            .put((byte) (reconciling ? 1 : 0))
            .put(fingerprint)
            .put(correlation)
            .array();
    byte[] ttl = number(ttlMillis(request.lease().plus(request.retention())));
    return answer(
        key, required(Script.CLAIM, key, scripting.run(Script.CLAIM, key, name(key), ask, ttl)));
  }

  private Claim answer(Key key, byte[] answer) {
    ByteBuffer numbers = ByteBuffer.wrap(answer);
    return switch (answer[0]) {
      case 'G' ->
          new Claim.Granted(key, numbers.getLong(GRANTED_FENCE), numbers.getInt(GRANTED_ATTEMPTS));
      case 'H' -> new Claim.Held(Duration.of(numbers.getLong(HELD_LEFT), ChronoUnit.MICROS));
      case 'M' -> new Claim.Mismatched();
      case 'U' -> new Claim.Uncertain();
      default -> {
        RecordBytes record = new RecordBytes(answer);
        yield new Claim.Replay(record.outcome(key, packing), record.correlation());
      }
    };
  }

  private String change(Script script, Key key, byte[]... arguments) {
    byte[] answer = scripting.run(script, key, name(key), arguments);
    return new String(required(script, key, answer), StandardCharsets.US_ASCII);
  }

  private static byte[] required(Script script, Key key, byte @Nullable [] answer) {
    if (answer == null) {
      throw new StoreException(
          script.word() + " of " + key + ": Redis gave no answer, which no script does", null);
    }
    return answer;
  }

  private String name(Key key) {
    return RecordKey.of(prefix, key);
  }

  private static void requireOwned(Claim.Granted grant, boolean owned) {
    if (!owned) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }

  /**
   * Rounded up, and two more: Redis counts from the whole millisecond that it was called in, or the
   * one before.
   */
  private static long ttlMillis(Duration time) {
    return time.toMillis() + 3;
  }

  private static byte[] number(long number) {
    return bytes(Long.toString(number));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
