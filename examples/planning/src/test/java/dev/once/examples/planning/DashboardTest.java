package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything that the dashboard and the alert rules in docs/operating ask Prometheus for is
 * reported by a running service after real traffic, by the same names and labels.
 */
class DashboardTest {
  private static final Path DOCS = Path.of("../../docs/operating");

  /**
   * This service has neither webhooks nor consumers of events: WebhookTest and EventListenerTest of
   * the starter check their names.
   */
  private static final List<String> OTHERS = List.of("webhook_", "once_consumer_", "once_relay_");

  private static final PlanningServer SERVER =
      PlanningServer.start(
          EmbeddedPostgres.shared().newDatabase("dashboard"),
          Map.of("once.limits.max-live-keys", "20", "once.cache.enabled", "true"));

  @BeforeAll
  static void sendTraffic() throws Exception {
    Api api = SERVER.planner();
    Reply project = api.newProject();
    String key = Api.randomId();
    String path = project.location() + "/missions";
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(SERVER, "project", project)) {
        first = calls.start(() -> api.post(path, MissionTest.BODY, Api.KEY, key));
        held.awaitWaiting(1);
        api.post(path, MissionTest.BODY, Api.KEY, key).expect(409);
      }
      Reply unused = ConcurrentCalls.answerOf(first).expect(201);
    }
    api.post(path, MissionTest.BODY, Api.KEY, key).expect(201);
    api.post(path, "{}", Api.KEY, key).expect(409);
    api.sendWithoutKey("POST", path, MissionTest.BODY).expect(400);
    Reply collaborator = api.newCollaborator(project);
    api.assign(api.newMission(project, 8, 9), collaborator).expect(201);
    SERVER.awaitJobs(api);
    // Jobs are counted every ten seconds: one that waits is there whenever that is.
    var unused =
        SERVER
            .bean(Jobs.class)
            .enqueue(
                Job.of(new JobKey("acme", "search", "index", "later"))
                    .withDelay(Duration.ofHours(1)));
    useUpTheLimit();
  }

  private static void useUpTheLimit() {
    Api api = SERVER.planner();
    Polling.until(
        () -> api.post("/v1/projects", "{\"name\":\"Harbour\"}"), it -> it.status() >= 429);
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  @Test
  void theDashboardAsksForWhatAServiceReports() throws IOException {
    JsonNode dashboard =
        JsonMapper.shared().readTree(Files.readString(DOCS.resolve("grafana-dashboard.json")));
    List<String> expressions = new ArrayList<>();
    Set<Integer> ids = new TreeSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).isTrue();
      for (JsonNode target : panel.path("targets")) {
        expressions.add(target.get("expr").asString());
      }
    }
    for (JsonNode variable : dashboard.get("templating").get("list")) {
      if (variable.get("type").asString().equals("query")) {
        expressions.add(variable.get("query").get("query").asString());
      }
    }

    assertThat(expressions).hasSizeGreaterThan(25);
    assertThat(missing(expressions)).isEmpty();
  }

  @Test
  void alertsAskForWhatAServiceReports() throws IOException {
    Map<String, List<Map<String, List<Map<String, Object>>>>> file =
        new Yaml().load(Files.readString(DOCS.resolve("prometheus-alerts.yaml")));
    List<String> expressions = new ArrayList<>();
    for (Map<String, List<Map<String, Object>>> group : file.getOrDefault("groups", List.of())) {
      for (Map<String, Object> rule : group.getOrDefault("rules", List.of())) {
        assertThat(rule).containsKeys("alert", "expr", "labels", "annotations");
        expressions.add(String.valueOf(rule.get("expr")));
      }
    }

    assertThat(expressions).hasSizeGreaterThan(8);
    assertThat(missing(expressions)).isEmpty();
  }

  /** Returns what is asked for and not reported, when all gauges have been counted once. */
  private static List<PromQl.Selector> missing(List<String> expressions) {
    Api operator = SERVER.caller("operators", Role.OPERATOR);
    List<PromQl.Selector> selectors =
        expressions.stream()
            .flatMap(it -> PromQl.selectors(it).stream())
            .filter(it -> OTHERS.stream().noneMatch(it.metric()::startsWith))
            .toList();
    return Polling.until(
        () -> {
          Scrape scrape = Scrape.of(operator.get("/actuator/prometheus").expect(200).body());
          return selectors.stream().filter(it -> !scrape.has(it)).toList();
        },
        List::isEmpty);
  }
}
