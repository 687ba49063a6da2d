package dev.once.redis;

import dev.once.spi.RecordWatch;

/** Waits for changes of one record that Redis publishes. */
final class RedisWatch implements RecordWatch.Watch {
  private final String name;
  private final ChangeSignals signals;
  private final ChangeSignal signal;
  private long heard;

  private RedisWatch(String name, ChangeSignals signals, ChangeSignal signal) {
    this.name = name;
    this.signals = signals;
    this.signal = signal;
    this.heard = signal.rings();
  }

  static RecordWatch.Watch begin(String name, ChangeSignals signals, Scripting scripting) {
    ChangeSignal signal = signals.take(name);
    RedisWatch watch = new RedisWatch(name, signals, signal);
    // Sent before the next claim on the same connection, so executed before it.
    scripting.send(Script.WATCH, name);
    return watch;
  }

  @Override
  public void await(long nanos) throws InterruptedException {
    heard = signal.await(heard, nanos);
  }

  @Override
  public void close() {
    signals.giveBack(name, signal);
  }
}
