package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Any number of concurrent copies of a request have one effect and one answer. */
class DuplicatesTest {
  private static final int COPIES = 200;
  private static final String RENAME = "{\"name\":\"Dock\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final Reply project = api.newProject();
  private final String key = Api.randomId();

  @Test
  void twoHundredThatWaitGetOneAnswer() throws Exception {
    Map<String, String> patience =
        Map.of("once.max-wait", "60s", "once.http.max-waiting", Integer.toString(COPIES));
    try (PlanningServer patient = server.another(patience)) {
      List<Reply> replies = sendCopies(api.at(patient));

      assertThat(replies).extracting(Reply::status).containsOnly(201);
      assertThat(replies).extracting(Reply::body).containsOnly(replies.get(0).body());
      assertThat(replies).filteredOn(DuplicatesTest::isReplay).hasSize(COPIES - 1);
      expectOneMission();
    }
  }

  @Test
  void twoHundredThatDoNotWaitAreToldSoOrGetThatAnswer() throws Exception {
    List<Reply> replies = sendCopies(api);

    assertThat(replies).filteredOn(it -> it.status() == 201 && !isReplay(it)).hasSize(1);
    for (Reply reply : replies) {
      if (reply.status() != 201) {
        reply.expectProblem(409, "idempotency.in_flight");
      }
    }
    expectOneMission();
    List<Reply> later = sendCopies(api);
    assertThat(later).allMatch(it -> it.status() == 201 && isReplay(it));
    assertThat(later).extracting(Reply::body).containsOnly(later.get(0).body());
    expectOneMission();
  }

  @Test
  void oneOfManyChangesOfARevisionWinsAndTheOthersStayRefused() throws Exception {
    List<String> keys = Collections.nCopies(8, "").stream().map(it -> Api.randomId()).toList();

    List<Reply> replies = renameTogether(keys);

    assertThat(replies).filteredOn(it -> it.status() == 200).hasSize(1);
    for (int i = 0; i < replies.size(); i++) {
      Reply reply = replies.get(i);
      Reply replay = rename(keys.get(i));
      assertThat(replay.status()).isEqualTo(reply.status()).isIn(200, 409);
      assertThat(replay.body()).isEqualTo(reply.body());
      assertThat(isReplay(replay)).isTrue();
    }
    assertThat(api.tag(project)).isEqualTo("\"2\"");
  }

  @Test
  void copiesOfOneChangeAreOneChange() throws Exception {
    List<Reply> replies = renameTogether(Collections.nCopies(8, key));

    assertThat(replies).filteredOn(it -> it.status() == 200 && !isReplay(it)).hasSize(1);
    assertThat(rename(key).expect(200).header("ETag")).isEqualTo("\"2\"");
    assertThat(api.tag(project)).isEqualTo("\"2\"");
  }

  @Test
  void aRetryGetsTheAnswerThatWasLost() throws Exception {
    String path = project.location() + "/missions";
    try (HeldRow held = HeldRow.of(server, "project", project);
        Socket client = new Wire(api).send(path, MissionTest.BODY, "Idempotency-Key: " + key)) {
      held.awaitWaiting(1);
      client.setSoLinger(true, 0); // The server will answer on a reset connection.
    }

    Reply answer = Polling.until(this::create, it -> it.status() != 409);

    assertThat(isReplay(answer.expect(201))).isTrue();
    expectOneMission();
  }

  private List<Reply> sendCopies(Api there) throws Exception {
    Callable<Reply> create =
        () -> there.post(project.location() + "/missions", MissionTest.BODY, Api.KEY, key);
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      return calls.run(Collections.nCopies(COPIES, create));
    }
  }

  private List<Reply> renameTogether(List<String> keys) throws Exception {
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      return calls.run(keys.stream().<Callable<Reply>>map(it -> () -> rename(it)).toList());
    }
  }

  private Reply create() {
    return api.post(project.location() + "/missions", MissionTest.BODY, Api.KEY, key);
  }

  private Reply rename(String key) {
    return api.send("PATCH", project.location(), RENAME, Api.KEY, key, "If-Match", "\"1\"");
  }

  /** One mission, one audit event and two jobs, besides those of the project. */
  private void expectOneMission() {
    assertThat(server.count("mission", api)).isEqualTo(1);
    assertThat(server.count("audit_event", api)).isEqualTo(2);
    assertThat(server.jobs(api)).hasSize(4);
  }

  private static boolean isReplay(Reply reply) {
    return reply.header("Idempotency-Replayed").equals("true");
  }
}
