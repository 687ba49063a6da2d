package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.client.OnceHttpClient;
import dev.once.client.Operation;
import dev.once.client.OperationResult;
import dev.once.client.RetryRules;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client by the rules of each contract, against a service under that contract. */
class ClientContractTest {
  private static final String BODY =
      """
      {"title":"Survey","starts_at":"2026-11-01T08:00:00Z","ends_at":"2026-11-01T12:00:00Z"}""";

  @ParameterizedTest
  @ValueSource(strings = {"strict", "planning", "mobile", "async", "ietf", "stripe"})
  void anOperationTakesEffectOnceAndItsRetryIsAReplay(String contract) {
    PlanningServer server = PlanningServer.under(contract);
    Api api = server.planner();
    String missions = server.url() + api.newProject().location() + "/missions";
    OnceHttpClient client =
        OnceHttpClient.builder(RetryRules.named(contract))
            .credentials(() -> Map.of("Authorization", "Bearer " + api.token()))
            .build();
    Operation operation = Operation.post(missions).json(BODY).build();

    OperationResult first = client.send(operation);
    OperationResult again = client.send(operation);
    OperationResult other =
        client.send(
            Operation.post(missions)
                .json(BODY.replace("Survey", "Census"))
                .key(operation.key())
                .build());

    assertThat(first).isInstanceOf(OperationResult.Done.class);
    assertThat(again).isInstanceOf(OperationResult.Replayed.class);
    assertThat(again.lastAnswer().orElseThrow().body())
        .isEqualTo(first.lastAnswer().orElseThrow().body());
    assertThat(other).isInstanceOf(OperationResult.Refused.class);
    assertThat(server.count("mission", api)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "planning", "mobile", "async", "ietf", "stripe"})
  void anOperationOfAnUnknownCallerIsRefusedUntilItSignsIn(String contract) {
    PlanningServer server = PlanningServer.under(contract);
    OnceHttpClient client = OnceHttpClient.of(RetryRules.named(contract));

    OperationResult result =
        client.send(Operation.post(server.url() + "/v1/projects").json("{\"name\":\"x\"}").build());

    assertThat(result)
        .isInstanceOfSatisfying(
            OperationResult.Refused.class,
            it -> assertThat(it.advice().name()).isEqualTo("SIGN_IN"));
  }
}
