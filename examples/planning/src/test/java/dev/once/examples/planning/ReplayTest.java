package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** A write is recorded once, and its replays write nothing. */
class ReplayTest {
  private static final String BODY = "{\"name\":\"Dock\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final String key = Api.randomId();

  @Test
  void writesAuditAndJobsOnce() {
    Reply first = create();
    List<String> jobs = server.jobs(api);
    for (int i = 0; i < 3; i++) {
      assertThat(create().header("X-Audit-ID")).isEqualTo(first.header("X-Audit-ID"));
    }

    assertThat(server.count("project", api)).isEqualTo(1);
    assertThat(server.count("audit_event", api)).isEqualTo(1);
    assertThat(server.jobs(api)).hasSize(2).containsExactlyInAnyOrderElementsOf(jobs);
    assertThat(auditIds()).containsExactly(first.header("X-Audit-ID"));
  }

  @Test
  void changesNothingInTheRecord() {
    create();
    String before = record();

    create();

    assertThat(record()).isEqualTo(before);
  }

  @Test
  void answersUnderTheIdsOfTheFirstRequest() {
    Reply first = create("X-Request-ID", "request-1", "X-Correlation-ID", "flow-1");
    Reply replay = create("X-Request-ID", "request-2", "X-Correlation-ID", "flow-2");

    assertThat(first.header("X-Request-ID")).isEqualTo("request-1");
    assertThat(replay.header("X-Request-ID")).isEqualTo("request-1");
    assertThat(replay.header("X-Correlation-ID")).isEqualTo("flow-1");
  }

  @Test
  void keepsTheIdsOfTheFirstRequestInTheRecord() {
    create("X-Request-ID", "request-1", "X-Correlation-ID", "flow-1");
    create("X-Request-ID", "request-2", "X-Correlation-ID", "flow-2");

    assertThat(select("correlation"))
        .contains("request-1", "flow-1")
        .doesNotContain("request-2", "flow-2");
  }

  @Test
  void keepsNoSecretInTheRecord() {
    create();

    assertThat(record()).doesNotContain(String.valueOf(api.token()), "Bearer");
    assertThat(select("headers").toLowerCase(Locale.ROOT))
        .contains("etag", "location", "x-audit-id")
        .doesNotContain("set-cookie", "authorization");
  }

  @Test
  void readingTouchesNoRecord() {
    Reply project = create();
    String before = record();

    for (String path : List.of("/v1/projects", project.location(), "/v1/search?q=a")) {
      api.get(path, Api.KEY, key).expect(200);
      api.send("HEAD", path, null, Api.KEY, "no, key").expect(200);
    }

    assertThat(server.count("once_record", api)).isEqualTo(1);
    assertThat(record()).isEqualTo(before);
  }

  private Reply create(String... headers) {
    String[] all = new String[headers.length + 2];
    all[0] = Api.KEY;
    all[1] = key;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return api.post("/v1/projects", BODY, all).expect(201);
  }

  /** Returns the row, with the transaction that wrote it last. */
  private String record() {
    return select("xmin::text || ' ' || r::text");
  }

  private String select(String columns) {
    return server
        .database()
        .sql("SELECT " + columns + " AS value FROM once_record r WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .query((row, number) -> row.getString("value"))
        .single();
  }

  private List<String> auditIds() {
    return server
        .database()
        .sql("SELECT id FROM audit_event WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .query((row, number) -> row.getString("id"))
        .list();
  }
}
