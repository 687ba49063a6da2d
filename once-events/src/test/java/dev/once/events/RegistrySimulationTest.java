package dev.once.events;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random histories of consumers. A failure names its seed; {@code -Donce.events.seed=<seed>} runs
 * that history again.
 */
@Tag("any-jdk")
class RegistrySimulationTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("simulation");

  @RepeatedTest(60)
  void everyEventIsHandledOnceAndInOrder() {
    long seed = Long.getLong("once.events.seed", RandomGenerator.getDefault().nextLong());
    try {
      new RegistrySimulation(DATABASE, seed).run();
    } catch (AssertionError e) {
      throw new AssertionError("failed with -Donce.events.seed=" + seed, e);
    }
  }
}
