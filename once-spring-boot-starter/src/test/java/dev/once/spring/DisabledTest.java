package dev.once.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.http.Contract;
import dev.once.jobs.Jobs;
import dev.once.spring.Api.Answer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"once.enabled", "once.http.enabled"})
  void stillChecksRevisions(String setting) {
    try (App app = App.start(ContractTest.Documents.class, setting + "=false")) {
      Api api = app.api();

      assertThat(put(api, "\"r0\"").status()).isEqualTo(200);
      assertThat(put(api, "\"r0\"").status()).isEqualTo(409);
      assertThat(put(api, "\"r0\"").body()).contains("concurrency.version_mismatch");
    }
  }

  @Test
  void saysThatItIsOff() {
    PrintStream console = System.out;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setOut(new PrintStream(log, true, UTF_8));
    try {
      App.start(Shop.class, "once.enabled=false", "logging.level.dev.once.spring=info").close();
    } finally {
      System.setOut(console);
    }

    assertThat(log.toString(UTF_8)).contains("once.off");
  }

  private static Answer put(Api api, String ifMatch) {
    return api.send(api.request("PUT", "/document", "").header("If-Match", ifMatch));
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
