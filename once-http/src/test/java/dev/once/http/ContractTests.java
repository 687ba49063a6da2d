package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shared by the tests of each contract. */
abstract class ContractTests {
  private static final JsonMapper JACKSON = new JsonMapper();

  final Contract contract;
  final TestApi api;

  ContractTests(Contract contract) {
    this.contract = contract;
    this.api = new TestApi(contract);
  }

  @AfterEach
  void close() {
    api.close();
  }

  static JsonNode body(HttpAnswer answer) {
    return JACKSON.readTree(answer.bytes());
  }

  static String header(HttpAnswer answer, String name) {
    return answer.headers().first(name).orElse("absent");
  }

  /** Sends a request with this key and returns whether it was executed. */
  boolean accepts(String key) {
    int before = api.executions();
    api.send(TestCall.CREATE.withKey(key));
    return api.executions() > before;
  }

  /** Returns the statuses from 200 to 599 that are kept, with ranges such as {@code 200-399}. */
  String kept() {
    return runs(
        IntStream.range(200, 600).filter(contract.keptStatuses()::contains).boxed().toList());
  }

  void answersWithProblem(HttpAnswer answer, int status, String code) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(body(answer).at("/code").stringValue()).isEqualTo(code);
    assertThat(body(answer).at("/status").intValue()).isEqualTo(status);
    assertThat(body(answer).at("/type").stringValue())
        .isEqualTo("https://once.dev/problems/" + code);
  }

  /** Changes a resource with the revision "3". */
  HttpAnswer changing(TestCall call) {
    IfMatch.of(contract, call.toHttp()).require(EntityTag.strong("3"));
    return TestApi.json(200, "{}");
  }

  private static String runs(List<Integer> statuses) {
    StringBuilder runs = new StringBuilder();
    for (int i = 0; i < statuses.size(); i++) {
      int first = statuses.get(i);
      while (i + 1 < statuses.size() && statuses.get(i + 1) == statuses.get(i) + 1) {
        i++;
      }
      int last = statuses.get(i);
      runs.append(runs.isEmpty() ? "" : " ").append(first).append(first == last ? "" : "-" + last);
    }
    return runs.toString();
  }
}
