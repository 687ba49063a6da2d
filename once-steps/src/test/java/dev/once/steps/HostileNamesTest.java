package dev.once.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import org.junit.jupiter.api.Test;

class HostileNamesTest {
  @Test
  void namesOfRunsWriteNoLinesIntoLogs() {
    assertThatThrownBy(() -> new RunId("acme", "42\n2026-11-15 ERROR all is lost"))
        .hasMessage("run must not contain control characters");
  }

  @Test
  void aRunIsShownThoughSomethingElseIsInItsScope() {
    InMemoryRecordStore store = new InMemoryRecordStore();
    RunId run = new RunId("acme", "order-42");
    try (Once once = Once.over(store)) {
      Key foreign = new Key("acme", run.scope(), "no-step");
      once.run(Request.of(foreign, Codec.text()), execution -> "done").orThrow();

      assertThat(RunHistory.over(store).steps(run)).hasSizeLessThanOrEqualTo(1);
    }
  }
}
