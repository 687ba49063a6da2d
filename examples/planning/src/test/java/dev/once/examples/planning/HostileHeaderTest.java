package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed headers neither do harm nor execute a write, under any contract. */
class HostileHeaderTest {
  private static final String BODY = "{\"name\":\"Dock\"}";
  private static final String KEY = "Idempotency-Key: ";
  private static final List<String> CONTRACTS =
      List.of("strict", "planning", "mobile", "async", "ietf", "stripe");

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("unfitKeys")
  void doesNothingForAKeyThatIsNone(String contract, String what, String lines) throws Exception {
    PlanningServer server = PlanningServer.under(contract);
    Api api = server.planner();

    Reply refused = new Wire(api).post("/v1/projects", BODY, lines.split("\r\n"));

    refused.expect(400);
    assertThat(refused.body()).doesNotContain("Exception", "catalina");
    assertThat(server.count("project", api)).isZero();
    assertThat(server.count("once_record", api)).isZero();
  }

  @ParameterizedTest
  @MethodSource("contracts")
  void addsNoHeaderThatAClientSmugglesIntoOne(String contract) throws Exception {
    PlanningServer server = PlanningServer.under(contract);
    String key = Api.randomId();
    String smuggled = "a%0d%0aSet-Cookie:%20a=b\nSet-Cookie: a=b\r\n Set-Cookie: a=b";

    for (int i = 0; i < 2; i++) {
      Reply reply =
          new Wire(server.planner())
              .post(
                  "/v1/projects",
                  BODY,
                  KEY + key,
                  "X-Request-ID: " + smuggled,
                  "X-Correlation-ID: " + smuggled);

      assertThat(reply.expect(201).headers().map()).doesNotContainKey("Set-Cookie");
    }
  }

  @ParameterizedTest
  @MethodSource("contracts")
  void replacesTraceIdsThatAreUnfit(String contract) throws Exception {
    Api api = PlanningServer.under(contract).planner();

    Reply reply =
        new Wire(api)
            .post(
                "/v1/projects",
                BODY,
                KEY + Api.randomId(),
                "X-Request-ID: <script> \u00ff\u00fe",
                "X-Request-ID: second",
                "X-Correlation-ID: " + "x".repeat(4000));

    assertThat(reply.expect(201).header("X-Request-ID")).matches("[!-~]{1,128}");
    assertThat(reply.header("X-Correlation-ID")).isEqualTo(reply.header("X-Request-ID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "strict", "stripe"})
  void takesEveryVisibleCharacterInAKeyAndGivesItBackAsItWas(String contract) throws Exception {
    Api api = PlanningServer.under(contract).planner();
    String key = "'; DROP TABLE once_record; -- <b>%00%0d%0a{}$(id)`~";

    Reply first = new Wire(api).post("/v1/projects", BODY, KEY + key).expect(201);
    Reply second = new Wire(api).post("/v1/projects", BODY, KEY + key).expect(201);

    assertThat(second.body()).isEqualTo(first.body());
    if (contract.equals("async")) {
      assertThat(second.header("X-Idempotency-Key")).isEqualTo(key);
    }
  }

  static Stream<String> contracts() {
    return CONTRACTS.stream();
  }

  static Stream<Arguments> unfitKeys() {
    return CONTRACTS.stream()
        .flatMap(
            contract ->
                Stream.of(
                    Arguments.of(contract, "two lines", KEY + "a\r\n" + KEY + "b"),
                    Arguments.of(contract, "one line twice", twice(KEY + Api.randomId())),
                    Arguments.of(contract, "in two cases", KEY + "a\r\nidempotency-key: a"),
                    Arguments.of(contract, "a list", KEY + "a, b"),
                    Arguments.of(contract, "a list of strings", KEY + "\"a\", \"b\""),
                    Arguments.of(contract, "nothing", KEY),
                    Arguments.of(contract, "a blank", KEY + " \t "),
                    Arguments.of(contract, "an empty string", KEY + "\"\""),
                    Arguments.of(contract, "an open string", KEY + "\"a"),
                    Arguments.of(contract, "Latin", KEY + "caf\u00e9"),
                    Arguments.of(contract, "UTF-8", KEY + "caf\u00c3\u00a9"),
                    Arguments.of(contract, "256 characters", KEY + "k".repeat(256)),
                    Arguments.of(contract, "20 KB", KEY + "k".repeat(20 << 10)),
                    Arguments.of(contract, "NUL", KEY + "a\u0000b"),
                    Arguments.of(contract, "BEL", KEY + "a\u0007b"),
                    Arguments.of(contract, "a tab", KEY + "a\tb"),
                    Arguments.of(contract, "DEL", KEY + "a\u007fb"),
                    Arguments.of(contract, "a bare CR", KEY + "a\rX-Other: b"),
                    Arguments.of(contract, "a blank before the colon", "Idempotency-Key : a")));
  }

  private static String twice(String line) {
    return line + "\r\n" + line;
  }
}
