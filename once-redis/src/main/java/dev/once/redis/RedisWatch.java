package dev.once.redis;

import dev.once.spi.RecordWatch;

/** Listens for what Redis publishes about one record. */
final class RedisWatch implements RecordWatch.Watch {
  private final String name;
  private final Bells bells;
  private final Bell bell;
  private long heard;

  private RedisWatch(String name, Bells bells, Bell bell) {
    this.name = name;
    this.bells = bells;
    this.bell = bell;
    this.heard = bell.rings();
  }

  static RecordWatch.Watch begin(String name, Bells bells, Scripting scripting) {
    Bell bell = bells.take(name);
    RedisWatch watch = new RedisWatch(name, bells, bell);
    // Sent before the next claim on the same connection, so executed before it.
    scripting.send(Script.WATCH, name);
    return watch;
  }

  @Override
  public void await(long nanos) throws InterruptedException {
    heard = bell.await(heard, nanos);
  }

  @Override
  public void close() {
    bells.giveBack(name, bell);
  }
}
