package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import dev.once.steps.RunHistory;
import dev.once.steps.StepView;
import dev.once.steps.Steps;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps in Spring's transactions. */
@Timeout(60)
class StepsTest {
  @Test
  void aStepJoinsTheTransactionOfItsCaller() {
    try (App app = App.start(WebhookShop.class)) {
      WebhookShop.Workflow workflow = app.bean(WebhookShop.Workflow.class);

      assertThatThrownBy(() -> workflow.placeAndFail("candle")).hasMessageContaining("after");
      assertThat(app.orders("candle")).isZero();
      assertThat(app.bean(RunHistory.class).steps(WebhookShop.RUN)).isEmpty();

      assertThat(workflow.place("candle")).isEqualTo("candle");
      assertThat(app.orders("candle")).isEqualTo(1);
    }
  }

  @Test
  void stepsThatWereDoneAreCounted() {
    try (App app = App.start(WebhookShop.class)) {
      WebhookShop.Workflow workflow = app.bean(WebhookShop.Workflow.class);
      for (int i = 0; i < 4; i++) {
        assertThat(workflow.place("candle")).isEqualTo("candle");
      }
      app.bean(Steps.class).run(WebhookShop.RUN, WebhookShop.PLACE, "{}", it -> "another");

      assertThat(app.bean(MeterRegistry.class).get("step_duplicate").counter().count())
          .isEqualTo(3);
      assertThat(app.bean(RunHistory.class).steps(WebhookShop.RUN))
          .extracting(StepView::inputChanged)
          .containsExactly(false, true);
    }
  }

  @Test
  void takesTheNameThatServicesAlreadyHaveForTheRetention() {
    try (App app = App.start(WebhookShop.class, "STEP_DEDUP_TTL_HOURS=48")) {
      app.bean(WebhookShop.Workflow.class).place("candle");

      Key key = new Key(WebhookShop.RUN.tenant(), WebhookShop.RUN.scope(), "any");
      RecordEntry entry =
          app.bean(RecordIndex.class).list(RecordQuery.of(key.tenant(), key.scope())).get(0);
      assertThat(Duration.between(entry.createdAt(), entry.expiresAt())).hasHours(48);
    }
  }
}
