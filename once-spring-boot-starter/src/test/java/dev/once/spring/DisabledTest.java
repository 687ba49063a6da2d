package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.http.Contract;
import dev.once.jobs.Jobs;
import dev.once.spring.Api.Answer;
import org.junit.jupiter.api.Test;

/** {@code once.enabled=false} leaves the application as it was without Once. */
class DisabledTest {
  @Test
  void leavesNothingBehind() {
    try (App app =
        App.start(Shop.class, "once.enabled=false", "IDEMPOTENCY_TTL_HOURS=not a number")) {
      Answer answer = app.api().send(app.api().request("POST", Api.ORDERS, Api.wish("ladder")));

      assertThat(answer.status()).isEqualTo(201);
      assertThat(app.has(Once.class)).isFalse();
      assertThat(app.has(Contract.class)).isFalse();
      assertThat(app.has(Jobs.class)).isFalse();
      assertThat(app.tables("once_record")).isZero();
      assertThat(app.tables("once_job")).isZero();
    }
  }

  @Test
  void leavesOutJobsAlone() {
    try (App app = App.start(Shop.class, "once.jobs.enabled=false")) {
      assertThat(app.has(Once.class)).isTrue();
      assertThat(app.has(Jobs.class)).isFalse();
      assertThat(app.tables("once_job")).isZero();
    }
  }
}
