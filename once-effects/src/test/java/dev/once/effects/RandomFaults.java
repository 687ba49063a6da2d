package dev.once.effects;

import dev.once.effects.TestHttpServer.Fault;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Has every third request to a server fail. */
final class RandomFaults implements Supplier<Fault> {
  private static final List<Fault> FAULTS =
      List.of(
          Fault.LOST_REQUEST,
          Fault.LOST_ANSWER,
          Fault.status(409),
          Fault.status(429),
          Fault.status(503));

  private final Random random;

  RandomFaults(Random random) {
    this.random = random;
  }

  @Override
  public synchronized Fault get() {
    return random.nextInt(3) == 0 ? FAULTS.get(random.nextInt(FAULTS.size())) : Fault.NONE;
  }
}
