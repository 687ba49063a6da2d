package dev.once.events;

import static dev.once.events.TestEvents.events;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Program;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A real process is killed by SIGKILL at every point of a consumer; then another one gets the same
 * events.
 */
class CrashTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("crash");

  @ParameterizedTest
  @CsvSource({
    "leased, after claim",
    "leased, before effect",
    "leased, after effect",
    "leased, before completion",
    "transactional, after claim",
    "transactional, before effect",
    "transactional, after effect",
    "transactional, before completion",
    "transactional, before commit",
    "transactional, after commit"
  })
  void everyEventTakesEffectOnce(String kind, String point) throws Exception {
    try (Program program = Program.start(CrashingConsumer.class, DATABASE.direct(), kind, point)) {
      program.awaitLine(point);
      program.kill();
    }

    try (EventConsumer consumer =
        new CrashingConsumer(DATABASE.direct(), reached -> {}).start(kind)) {
      assertThat(Settlements.await(consumer.submit(events("a", 2))))
          .allMatch(it -> it instanceof Settlement.Handled || it instanceof Settlement.Duplicate);
    }

    assertThat(DATABASE.effects()).containsExactly("a-1", "a-2");
    assertThat(DATABASE.states()).containsExactly("a-1 done", "a-2 done");
  }
}
