package dev.once.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How soon a client reconnects. Lettuce waits twice as long after each failed attempt, up to 30
 * seconds: after an outage of 20 seconds, calls would fail for 15 seconds more. Here both a pause
 * and an attempt are short, so that calls succeed again within a second after the outage.
 */
final class ReconnectPolicy {
  /** Pauses are random, so that the clients of a restarted server do not all connect at once. */
  private static final Duration MAX_PAUSE = Duration.ofMillis(400);

  private static final Duration MIN_PAUSE = Duration.ofMillis(20);
  private static final long FIRST_PAUSE_MILLIS = 50;

  /** Ends an attempt that gets no answer at all, as from a machine that is down. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);

  /** The longest pause that a client of the application may have. */
  private static final Duration LONGEST_ACCEPTED_PAUSE = Duration.ofSeconds(1);

  /** The pauses of Lettuce reach their maximum within fifteen attempts. */
  private static final int ATTEMPTS_TO_CHECK = 32;

  private static final Duration SHUTDOWN_TIME = Duration.ofSeconds(2);

  private ReconnectPolicy() {}

  static Delay delay() {
    return Delay.fullJitter(MIN_PAUSE, MAX_PAUSE, FIRST_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  static SocketOptions socketOptions() {
    return SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).keepAlive(true).build();
  }

  /** Returns resources for a client of this module, to be closed with {@link #shutdown}. */
  static ClientResources newResources() {
    return resources().build();
  }

  static ClientResources.Builder resources() {
    return ClientResources.builder()
        .reconnectDelay(delay())
        .nettyCustomizer(new FlushConsolidation());
  }

  /** Closes {@code client} and the resources that were created for it alone. */
  static void shutdown(AbstractRedisClient client) {
    ClientResources resources = client.getResources();
    client.shutdown(Duration.ZERO, SHUTDOWN_TIME);
    resources
        .shutdown(0, SHUTDOWN_TIME.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(SHUTDOWN_TIME.toMillis());
  }

  /** Refuses resources whose pauses grow beyond a second. */
  static void requireShortPauses(ClientResources resources) {
    Delay delay = resources.reconnectDelay();
    for (int attempt = 1; attempt <= ATTEMPTS_TO_CHECK; attempt++) {
      if (delay.createDelay(attempt).compareTo(LONGEST_ACCEPTED_PAUSE) > 0) {
        throw new IllegalArgumentException(
            "the client waits longer than a second before it connects again, and calls fail for as"
                + " long after Redis has returned: create it with ClientResources whose"
                + " reconnectDelay is RedisRecordStore.reconnectDelay()");
      }
    }
  }
}
