package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The promises of async where effect and record are not in one transaction. */
class LeasedContractTest extends AsyncFacts {
  LeasedContractTest() {
    super(PlanningServer.under("async", "leased"));
  }

  @Test
  void linksToTheStateOfARequestUnderWay() throws Exception {
    try (Together together = new Together()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = together.start(() -> create(key, SURVEY));
        held.awaitWaiting(1);
        Reply state = api.get(create(key, SURVEY).expect(202).location()).expect(200);

        assertThat(state.text("state")).isEqualTo("in_progress");
        assertThat(state.header("Retry-After")).isEqualTo("1");
      }
      Together.answerOf(first).expect(201);
    }
  }

  @Test
  void comparesRequestsWhileTheFirstIsUnderWay() throws Exception {
    try (Together together = new Together()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = together.start(() -> create(key, SURVEY));
        held.awaitWaiting(1);

        expect(create(key, CENSUS), mismatch());
      }
      Together.answerOf(first).expect(201);
    }
  }
}
