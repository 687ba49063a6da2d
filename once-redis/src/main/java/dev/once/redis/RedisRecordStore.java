package dev.once.redis;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.SharedReads;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.RecordWatch;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Keeps records in Redis 6.2 or newer, one string each, and changes them by scripts: one round trip
 * per operation, and all times come from the server's clock. All callers share one connection.
 * Redis removes records by itself when their retention is over.
 *
 * <p>The promises hold as long as Redis keeps what it acknowledged, which its settings decide: with
 * the ordinary ones a crash or a failover may lose the last second of records, and a retry of a
 * lost one executes again. The guide on operating Redis has the settings and what each means.
 *
 * <p>It cannot list records: Redis keeps them in no order.
 */
public final class RedisRecordStore
    implements RecordStore, RecordAdmin, RecordWatch, AutoCloseable {
  /**
   * The index of the number in an answer of {@code claim.lua}: the time that is left of a held key,
   * or the fence of a large outcome.
   */
  private static final int HELD_LEFT = 1;

  /** Answers to a change: it was made, or the grant no longer owns the record. */
  private static final byte MADE = 'm';

  private static final byte LOST = 'l';

  private static final int MAX_LARGE_TRIES = 5;

  private final SharedReads<LargeReplay, Optional<Claim>> largeReplays = new SharedReads<>();
  private final Scripting scripting;
  private final ChangeSignals signals;
  private final Packing packing;
  private final String prefix;
  private final Runnable afterClose;

  RedisRecordStore(
      Scripting scripting,
      ChangeSignals signals,
      Sealing sealing,
      String prefix,
      Runnable afterClose) {
    this.scripting = scripting;
    this.signals = signals;
    this.packing = Packing.of(sealing);
    this.prefix = prefix;
    this.afterClose = afterClose;
  }

  /** Returns a store in the Redis at {@code uri}, with its own client that has {@link #options}. */
  public static RedisRecordStore connect(RedisURI uri) {
    return builder(uri).build();
  }

  /**
   * Returns a builder of a store in the Redis at {@code uri}, which creates and closes a client.
   */
  public static RedisRecordStoreBuilder builder(RedisURI uri) {
    RedisClient client = RedisClient.create(ReconnectPolicy.newResources(), uri);
    client.setOptions(options());
    return new RedisRecordStoreBuilder(client).ownsClient();
  }

  /**
   * Returns a store over {@code client}, which must have {@link #options} and {@link
   * #reconnectDelay} or equivalent settings.
   */
  public static RedisRecordStore over(RedisClient client) {
    return builder(client).build();
  }

  /**
   * Returns a store over a cluster's {@code client}, which must have {@link #clusterOptions} and
   * {@link #reconnectDelay} or equivalent settings.
   */
  public static RedisRecordStore over(RedisClusterClient client) {
    return builder(client).build();
  }

  /** Returns a builder of a store over {@code client}. */
  public static RedisRecordStoreBuilder builder(RedisClient client) {
    return new RedisRecordStoreBuilder(client);
  }

  /** Returns a builder of a store over a cluster's {@code client}. */
  public static RedisRecordStoreBuilder builder(RedisClusterClient client) {
    return new RedisRecordStoreBuilder(client);
  }

  /**
   * Returns the options that a client needs: it reconnects by itself, a connection attempt without
   * an answer ends soon, and it rejects commands while the connection is lost, because a command
   * that is sent again may have been executed already.
   */
  public static ClientOptions options() {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(RedisRecordStore::giveUp)
        .socketOptions(ReconnectPolicy.socketOptions())
        // Every call has a timeout of its own.
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .build();
  }

  /**
   * Returns the recommended resources of a client, to be built and closed by the application: they
   * have {@link #reconnectDelay}, and commands that are sent at the same moment are written
   * together.
   */
  public static ClientResources.Builder resources() {
    return ReconnectPolicy.resources();
  }

  /**
   * Returns how long a client waits before it reconnects: random, and at most 400 ms, after any
   * number of attempts. For the {@link ClientResources} that a client is created with, which the
   * application closes after the client. Lettuce's own delay grows to 30 seconds, and a client with
   * that delay is refused.
   */
  public static Delay reconnectDelay() {
    return ReconnectPolicy.delay();
  }

  /** Returns {@link #options} for a cluster. (Its builder does not copy the replay filter.) */
  public static ClusterClientOptions clusterOptions() {
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder(options());
    builder.replayFilter(RedisRecordStore::giveUp);
    return builder.build();
  }

  /**
   * Fails {@code command}. Lettuce calls this for each command that it would send again, and drops
   * the command without completing it.
   */
  private static boolean giveUp(RedisCommand<?, ?, ?> command) {
    command.completeExceptionally(new RedisException("the connection was lost before the answer"));
    return true;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    Key key = request.key();
    byte[] claim = ScriptArgument.claim(request);
    for (int tries = 0; tries < MAX_LARGE_TRIES; tries++) {
      byte[] answer = required(Script.CLAIM, key, claim);
      if (answer[0] != 'L') {
        return answer(key, answer);
      }
      Optional<Claim> replay = large(key, ByteBuffer.wrap(answer).getLong(HELD_LEFT));
      if (replay.isPresent()) {
        return replay.get();
      }
    }
    throw new StoreException("the record of " + key + " changes each time it is read", null);
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    byte[] packed = packing.pack(grant.key(), outcome);
    byte[] completion = ScriptArgument.completion(grant, outcome.failed(), packed, retention);
    requireOwned(grant, change(Script.COMPLETE, grant.key(), completion) != LOST);
  }

  @Override
  public void release(Claim.Granted grant) {
    byte[] fence = ScriptArgument.fence(grant);
    requireOwned(grant, change(Script.RELEASE, grant.key(), fence) == MADE);
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    byte[] renewal = ScriptArgument.renewal(grant, lease);
    requireOwned(grant, change(Script.RENEW, grant.key(), renewal) == MADE);
  }

  @Override
  public boolean reopen(Key key) {
    return change(Script.REOPEN, key, ScriptArgument.NONE) == MADE;
  }

  @Override
  public boolean expire(Key key) {
    return change(Script.EXPIRE, key, ScriptArgument.NONE) == MADE;
  }

  /** Removes nothing and returns zero: every record has a TTL, and Redis removes it by itself. */
  @Override
  public int purge(Purge purge) {
    return 0;
  }

  @Override
  public Optional<RecordView> find(Key key) {
    byte[] record = scripting.run(Script.FIND, key, name(key), ScriptArgument.NONE);
    return record == null
        ? Optional.empty()
        : Optional.of(new RecordBytes(record).view(key, packing));
  }

  @Override
  public Watch watch(Key key) {
    return RedisWatch.begin(name(key), signals, scripting);
  }

  /** Closes the connections that this store opened. */
  @Override
  public void close() {
    signals.close();
    scripting.close();
    afterClose.run();
  }

  /** Reads a large outcome, once for all callers that want it now; empty if it has changed. */
  private Optional<Claim> large(Key key, long fence) {
    return largeReplays.read(
        new LargeReplay(key, fence),
        () ->
            find(key)
                .filter(it -> it.fence() == fence)
                .flatMap(it -> it.outcome().map(of -> new Claim.Replay(of, it.correlation()))));
  }

  /** Identifies an outcome to read. */
  private record LargeReplay(Key key, long fence) {}

  private Claim answer(Key key, byte[] answer) {
    return switch (answer[0]) {
      case 'H' -> new Claim.Held(heldFor(answer));
      case 'M' -> new Claim.Mismatched();
      case 'U' -> new Claim.Uncertain();
      default -> {
        RecordBytes record = new RecordBytes(answer);
        yield record.isInProgress()
            ? new Claim.Granted(key, record.fence(), record.attempts())
            : new Claim.Replay(record.outcome(key, packing), record.correlation());
      }
    };
  }

  private static Duration heldFor(byte[] answer) {
    return Duration.of(ByteBuffer.wrap(answer).getLong(HELD_LEFT), ChronoUnit.MICROS);
  }

  /** Changes a record, and returns the first letter of the word that the script answers with. */
  private byte change(Script script, Key key, byte[] argument) {
    return required(script, key, argument)[0];
  }

  private byte[] required(Script script, Key key, byte[] argument) {
    byte[] answer = scripting.run(script, key, name(key), argument);
    if (answer == null) {
      throw new StoreException(
          script.word() + " of " + key + ": Redis returned a null answer", null);
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
}
