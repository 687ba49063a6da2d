package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A request that is refused to protect the service leaves neither a record nor an effect. */
class LimitTest {
  private static final String BODY = "{\"name\":\"Dock\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final String key = Api.randomId();

  @Test
  void tooManyRequestsReachNoRecord() {
    Map<String, String> limit =
        Map.of(
            "once.rate-limit.enabled",
            "true",
            "once.rate-limit.requests",
            "2",
            "once.rate-limit.per",
            "1h");
    try (PlanningServer limited = server.another(limit)) {
      Api there = api.at(limited);
      create(there, Api.randomId()).expect(201);
      create(there, Api.randomId()).expect(201);

      Reply refused = create(there, key);

      refused.expectProblem(429, "rate.limited");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
      assertThat(server.count("once_record", api)).isEqualTo(2);
      assertThat(server.count("project", api)).isEqualTo(2);
      there.get("/v1/projects").expect(200);
      create(limited.planner(), key).expect(201);
    }
    assertThat(create(api, key).expect(201).header("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void anOpenCircuitExecutesNothingAndStillReplays() {
    Map<String, String> breaker =
        Map.of(
            "once.circuit-breaker.enabled", "true",
            "once.circuit-breaker.window", "4",
            "once.circuit-breaker.minimum-calls", "4",
            "once.circuit-breaker.open-for", "1h");
    Reply first = create(api, key).expect(201);
    try (PlanningServer guarded = server.another(breaker)) {
      Api there = api.at(guarded);
      openCircuit(there);
      String later = Api.randomId();

      Reply refused = create(there, later);

      refused.expectProblem(503, "circuit.open");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
      assertThat(create(there, key).expect(201).body()).isEqualTo(first.body());
      assertThat(server.count("once_record", api)).isEqualTo(2); // That of the refused one is open.
      assertThat(server.count("project", api)).isEqualTo(1);
      create(api, later).expect(201);
    }
  }

  /** Makes four requests fail at their last statement. */
  private void openCircuit(Api there) {
    try (BrokenAudit broken = BrokenAudit.of(server, api)) {
      for (int i = 0; i < 4; i++) {
        broken.provoke(() -> create(there, Api.randomId())).expect(500);
      }
    }
  }

  private static Reply create(Api api, String key) {
    return api.post("/v1/projects", BODY, Api.KEY, key);
  }
}
