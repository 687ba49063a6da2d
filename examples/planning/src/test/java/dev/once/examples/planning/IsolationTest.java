package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key gives another tenant nothing, and gives no access without permission. */
class IsolationTest {
  private static final String BODY = "{\"name\":\"Dock\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final String name = "planner-of-" + api.tenant();
  private final String key = Api.randomId();

  @ParameterizedTest
  @ValueSource(strings = {"strict", "planning", "mobile", "async", "ietf", "stripe"})
  void executesAnotherTenantsRequestWithTheSameKeyAndBody(String contract) {
    PlanningServer here = PlanningServer.under(contract);
    Reply mine = create(here.planner(), BODY).expect(201);
    Api other = here.caller("tenant-" + Api.randomId(), name, Role.PLANNER);

    Reply theirs = create(other, BODY).expect(201);

    assertThat(theirs.id()).isNotEqualTo(mine.id());
    assertThat(markOf(theirs)).isEmpty();
    assertThat(here.count("project", other)).isEqualTo(1);
  }

  @Test
  void answersForAnotherTenantsKeyAsForOneThatNeverWas() {
    create(api, BODY).expect(201);
    Api prober = server.planner();

    for (String body : List.of(BODY, "{}", "{", "{\"name\":\"a\",\"name\":\"b\"}")) {
      Reply used = create(prober, body);
      Reply unused = prober.post("/v1/projects", body, Api.KEY, Api.randomId());

      assertThat(used.status()).isEqualTo(unused.status());
      assertThat(used.headers().map().keySet()).isEqualTo(unused.headers().map().keySet());
      assertThat(used.body().replace(used.id(), ""))
          .isEqualTo(unused.body().replace(unused.id(), ""));
      server
          .database()
          .sql("DELETE FROM once_record WHERE tenant = :t")
          .param("t", prober.tenant())
          .update();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"X-Tenant-ID", "X-Organization-ID", "X-Org-ID", "X-Account", "X-Forwarded-User"})
  void believesNoHeaderAboutTheTenant(String header) {
    Reply mine = create(api, BODY).expect(201);
    Api other = server.planner();

    Reply forged = other.post("/v1/projects", BODY, Api.KEY, key, header, api.tenant());

    assertThat(forged.expect(201).id()).isNotEqualTo(mine.id());
    assertThat(markOf(forged)).isEmpty();
    assertThat(server.count("project", api)).isEqualTo(1);
    assertThat(server.count("once_record", api)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-User", "X-User-ID", "X-Actor", "X-Caller", "From"})
  void believesNoHeaderAboutTheCaller(String header) {
    Reply first = create(api, BODY).expect(201);

    Reply again = api.post("/v1/projects", BODY, Api.KEY, key, header, "another-caller");

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(markOf(again)).isEqualTo("true");
  }

  @Test
  void replaysNothingAfterARightWasLostAndAllAfterItWasRegained() {
    Reply first = create(api, BODY).expect(201);

    server.grant(api, name, Role.VIEWER);
    create(api, BODY).expectProblem(403, "auth.forbidden");
    server.grant(api, name, Role.PLANNER);

    Reply replay = create(api, BODY).expect(201);
    assertThat(markOf(replay)).isEqualTo("true");
    assertThat(replay.body()).isEqualTo(first.body());
  }

  @Test
  void replaysNothingToATokenThatIsNoLongerValid() {
    Reply first = create(api, BODY).expect(201);

    server.bean(ApiTokens.class).remove(String.valueOf(api.token()));
    create(api, BODY).expectProblem(401, "auth.required");
    server.grant(api, name, Role.PLANNER);

    assertThat(create(api, BODY).expect(201).body()).isEqualTo(first.body());
  }

  @Test
  void replaysToTheCallerWhateverTokenTheyHaveNow() {
    Reply first = create(api, BODY).expect(201);
    Api sameCaller = server.caller(api.tenant(), name, Role.PLANNER);

    assertThat(create(sameCaller, BODY).expect(201).body()).isEqualTo(first.body());
  }

  @Test
  void givesAViewerNothingForAPlannersKey() {
    create(api, BODY).expect(201);
    Api viewer = server.caller(api.tenant(), Role.VIEWER);

    create(viewer, BODY).expectProblem(403, "auth.forbidden");
    create(server.stranger(), BODY).expectProblem(401, "auth.required");
    assertThat(server.count("once_record", api)).isEqualTo(1);
  }

  private Reply create(Api caller, String body) {
    return caller.post("/v1/projects", body, Api.KEY, key);
  }

  /** Returns the marker of a replay under the contracts; empty for an executed request. */
  private static String markOf(Reply reply) {
    String async = reply.header("X-Idempotency-Status").replace("MISS", "");
    return async + reply.header("Idempotency-Replayed") + reply.header("Idempotent-Replayed");
  }
}
