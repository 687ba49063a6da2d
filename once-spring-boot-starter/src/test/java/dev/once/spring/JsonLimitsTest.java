package dev.once.spring;

import static dev.once.spring.Api.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** The limits of JSON bodies that applications set. */
@OnEachServer
class JsonLimitsTest {
  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app = App.startOn(server, Shop.class, "once.http.max-depth=2", "once.http.max-digits=21");
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void takesABodyWithinThem() {
    String digits = "1".repeat(21);

    Answer answer =
        api.post(ORDERS, "within", "{\"item\":\"cup\",\"more\":{\"n\":" + digits + "}}");

    assertThat(answer.status()).isEqualTo(201);
  }

  @Test
  void refusesABodyThatIsNestedDeeper() {
    assertRefused("deep", "{\"item\":\"jug\",\"more\":{\"most\":{}}}");
  }

  @Test
  void refusesANumberWithMoreDigits() {
    assertRefused("digits", "{\"item\":\"jug\",\"n\":" + "1".repeat(22) + "}");
  }

  /** The client cannot change a setting, so the answer names none. */
  private void assertRefused(String key, String body) {
    Answer answer = api.post(ORDERS, key, body);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body())
        .contains("\"code\":\"request.body_refused\"")
        .doesNotContain("once.http", "maxDepth", "maxDigits", "max-d");
    assertThat(app.records(key)).isZero();
    assertThat(app.orders("jug")).isZero();
  }

  @Test
  void areCheckedAtStart() {
    for (String setting : List.of("once.http.max-depth=0", "once.http.max-digits=20")) {
      List<String> settings = new ArrayList<>(App.connection(App.newDatabase()));
      settings.add(setting);

      assertThat(StartReport.ofStarting(Shop.class, settings))
          .contains("JSON bodies: ")
          .contains("once.http.max-depth", "once.http.max-digits");
    }
  }
}
