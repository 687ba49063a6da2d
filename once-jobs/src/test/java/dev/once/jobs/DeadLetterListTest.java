package dev.once.jobs;

import static dev.once.jobs.DeadLetterFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listing dead letters. */
class DeadLetterListTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("dead_list");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final DeadLetterFixture GRAVEYARD = new DeadLetterFixture(DATABASE, JOBS);

  @Test
  void showsWhatIsKnownOfALetter() {
    Job job = DeadLetterFixture.job(TENANT, "mail", "order-1").withAggregate("order-1");
    long id = GRAVEYARD.deadLetter(job);

    DeadLetter letter = JOBS.deadLetters().list(LetterQuery.of(TENANT)).get(0);

    assertThat(letter.id()).isEqualTo(id);
    assertThat(letter.key()).isEqualTo(job.key());
    assertThat(letter.reason()).isEqualTo("it failed");
    assertThat(letter.stack()).contains("at Somewhere");
    assertThat(letter.payloadBytes()).isEqualTo("secret of order-1".length());
    assertThat(letter.fingerprint()).isEqualTo(job.fingerprint());
    assertThat(letter.attempt()).isEqualTo(5);
    assertThat(letter.correlation().first("X-Request-ID")).contains("r-order-1");
    assertThat(letter.aggregate()).contains("order-1");
    assertThat(letter.diedAt()).isAfterOrEqualTo(letter.enqueuedAt());
  }

  @Test
  void returnsThePayloadOnlyOnRequest() {
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");

    DeadLetter letter = JOBS.deadLetters().find(TENANT, id).orElseThrow();

    assertThat(letter.toString()).doesNotContain("secret", "order-1");
    assertThat(JOBS.deadLetters().payload(TENANT, id).orElseThrow().toArray())
        .asString()
        .isEqualTo("secret of order-1");
  }

  @Test
  void goesThroughAllQueuesInTheOrderOfIdsPageByPage() {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      ids.add(GRAVEYARD.deadLetter(TENANT, i % 3 == 0 ? "mail" : "search", "order-" + i));
    }

    List<Long> seen = new ArrayList<>();
    LetterQuery query = LetterQuery.of(TENANT).withLimit(4);
    List<DeadLetter> page = JOBS.deadLetters().list(query);
    while (!page.isEmpty()) {
      page.forEach(letter -> seen.add(letter.id()));
      page = JOBS.deadLetters().list(query.after(page.get(page.size() - 1).id()));
    }

    assertThat(seen).isEqualTo(ids);
  }

  @Test
  void listsOneQueueAlone() {
    GRAVEYARD.deadLetter(TENANT, "a", "order-1");
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    GRAVEYARD.deadLetter(TENANT, "z", "order-1");

    List<DeadLetter> letters = JOBS.deadLetters().list(LetterQuery.of(TENANT).inQueue("mail"));

    assertThat(letters).extracting(DeadLetter::id).containsExactly(id);
  }

  @Test
  void neverShowsALetterOfAnotherTenant() {
    long id = GRAVEYARD.deadLetter("other", "mail", "order-1");

    assertThat(JOBS.deadLetters().list(LetterQuery.of(TENANT))).isEmpty();
    assertThat(JOBS.deadLetters().find(TENANT, id)).isEmpty();
    assertThat(JOBS.deadLetters().payload(TENANT, id)).isEmpty();
  }

  @Test
  void showsNoJobThatIsAlive() {
    long id = JOBS.enqueue(DeadLetterFixture.job(TENANT, "mail", "order-1")).id();

    assertThat(JOBS.deadLetters().list(LetterQuery.of(TENANT))).isEmpty();
    assertThat(JOBS.deadLetters().find(TENANT, id)).isEmpty();
  }

  @Test
  void refusesAPageThatIsTooLarge() {
    assertThatThrownBy(() -> LetterQuery.of(TENANT).withLimit(1001))
        .hasMessage("limit must be 1 to 1000, got 1001");
  }
}
