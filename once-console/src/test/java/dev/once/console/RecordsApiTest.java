package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Recovery;
import dev.once.console.ConsoleClient.Reply;
import dev.once.spi.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users find, see and change of records, over HTTP. */
class RecordsApiTest {
  private static final String SECRET = "{\"name\":\"Ada\",\"password\":\"s3cret\"}";

  private static ConsoleFixture console;

  private final Key done = new Key("acme", "api:POST:/orders", "done");
  private final Key lost = new Key("acme", "payment", "lost");
  private final Key held = new Key("acme", "payment", "held");
  private final Key foreign = new Key("zeta", "payment", "done");

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_records");
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
  }

  @BeforeEach
  void fill() {
    console.execute("TRUNCATE once_record");
    console.audit.clear();
    console.complete(done, SECRET);
    console.complete(foreign, SECRET);
    console.claim(held, Recovery.RERUN);
    console.uncertain(lost);
  }

  @Test
  void findsByTenantScopeKeyAndState() throws Exception {
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);

    assertThat(keys(viewer.get("records"))).containsExactly("done", "held", "lost", "done");
    assertThat(keys(viewer.get("records?tenant=acme"))).containsExactly("done", "held", "lost");
    assertThat(keys(viewer.get("records?tenant=acme&scope=payment")))
        .containsExactly("held", "lost");
    assertThat(keys(viewer.get("records?tenant=acme&key=lost"))).containsExactly("lost");
    assertThat(keys(viewer.get("records?state=uncertain,in_progress")))
        .containsExactly("held", "lost");
    assertThat(keys(viewer.get("records?older_than_seconds=300"))).isEmpty();
  }

  @Test
  void readsByPostSoThatNoAddressHasAKey() throws Exception {
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);
    String one = "{\"tenant\":\"acme\",\"scope\":\"payment\",\"key\":\"lost\"}";

    Reply posted = viewer.post("records/one", one);

    assertThat(posted.json()).isEqualTo(one(ConsoleFixture.VIEWER, lost).json());
    assertThat(viewer.post("records/one", "{\"tenant\":7}").status()).isEqualTo(400);
  }

  @Test
  void readsPageAfterPage() throws Exception {
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);

    Reply first = viewer.get("records?limit=3");
    Reply second = viewer.get("records?limit=3&after=" + first.json().get("next").asString());

    assertThat(keys(first)).containsExactly("done", "held", "lost");
    assertThat(second.values("records", "tenant")).containsExactly("zeta");
    assertThat(second.json().has("next")).isFalse();
  }

  @Test
  void showsOneRecordWithNumbersAsText() throws Exception {
    Reply record = one(ConsoleFixture.VIEWER, lost);

    assertThat(record.json().get("state").asString()).isEqualTo("uncertain");
    assertThat(record.json().get("fence").isString()).isTrue();
    assertThat(record.json().get("lease_ran_out").asBoolean()).isTrue();
    assertThat(record.text()).contains("r-lost");
  }

  @Test
  void showsPayloadsAsTheUserMaySeeThem() throws Exception {
    assertThat(one(ConsoleFixture.VIEWER, done).text())
        .contains("\"payload_bytes\":\"" + SECRET.length())
        .doesNotContain("Ada", "s3cret", "t-1");
    assertThat(one(ConsoleFixture.READER, done).text())
        .contains("Ada", "[redacted]", "[masked]")
        .doesNotContain("s3cret", "t-1");
    assertThat(one(ConsoleFixture.OPERATOR, done).text()).contains("Ada", "s3cret", "t-1");
  }

  @Test
  void completesAnUncertainRecordThatHappened() throws Exception {
    Map<String, Object> settlement = body(lost);
    settlement.put("happened", true);
    settlement.put("failed", false);
    settlement.put("status", "201");
    settlement.put("content_type", "application/json");
    settlement.put("body", "{\"paid\":true}");

    Reply reply = console.as(ConsoleFixture.OPERATOR).act("settle-record", settlement);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(console.store.find(lost).orElseThrow().outcome().orElseThrow().status())
        .isEqualTo(201);
    assertThat(console.audit)
        .containsExactly(
            new ConsoleChange(
                "ada",
                ConsoleAction.SETTLE_RECORD,
                Map.of("tenant", "acme", "scope", "payment", "key_hash", lost.shortHash()),
                "ticket 7",
                "changed"));
  }

  @Test
  void freesTheKeyOfAnUncertainRecordThatDidNotHappen() throws Exception {
    Map<String, Object> settlement = body(lost);
    settlement.put("happened", false);

    assertThat(console.as(ConsoleFixture.OPERATOR).act("settle-record", settlement).status())
        .isEqualTo(200);
    assertThat(state(lost)).isEqualTo(State.OPEN);
    assertThat(console.as(ConsoleFixture.OPERATOR).act("settle-record", settlement).status())
        .as("the second decision")
        .isEqualTo(409);
  }

  @Test
  void releasesAndExpires() throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);

    assertThat(operator.act("release-record", body(held)).status()).isEqualTo(200);
    assertThat(state(held)).isEqualTo(State.OPEN);
    assertThat(operator.act("expire-record", body(done)).status()).isEqualTo(200);
    assertThat(console.store.find(done)).isEmpty();
    assertThat(operator.act("expire-record", body(done)).status()).isEqualTo(404);
    assertThat(operator.act("release-record", body(foreign)).status()).isEqualTo(409);
    assertThat(console.audit)
        .extracting(ConsoleChange::result)
        .containsExactly("changed", "changed", "refused", "refused");
  }

  @Test
  void anotherTenantsRecordAnswersLikeAnAbsentOne() throws Exception {
    ConsoleClient acme = console.as(ConsoleFixture.ACME);
    Key absent = new Key("zeta", "payment", "absent");

    assertThat(keys(acme.get("records"))).as("without a tenant").hasSize(3);
    assertThat(acme.get("records?tenant=zeta")).isEqualTo(acme.get("records?tenant=none"));
    assertThat(one(ConsoleFixture.ACME, foreign)).isEqualTo(one(ConsoleFixture.ACME, absent));
    assertThat(acme.act("expire-record", body(foreign)))
        .isEqualTo(acme.act("expire-record", body(absent)));
    assertThat(acme.get("timeline?tenant=zeta&key=done"))
        .isEqualTo(acme.get("timeline?tenant=zeta&key=absent"));
    assertThat(console.store.find(foreign)).isPresent();
  }

  /** A cursor is the user's own text: it must not lead out of the tenant. */
  @Test
  void aCursorOfAnotherTenantShowsNothingOfIt() throws Exception {
    String cursor = Cursor.of("a", "a", "a");

    assertThat(
            console
                .as(ConsoleFixture.ACME)
                .get("records?after=" + cursor)
                .values("records", "tenant"))
        .containsOnly("acme");
    assertThat(console.as(ConsoleFixture.ACME).get("records?after=nonsense").status())
        .isEqualTo(400);
  }

  @Test
  void refusesWhatTheUserMayNotDo() throws Exception {
    Reply reply = console.as(ConsoleFixture.VIEWER).act("expire-record", body(done));

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.detail()).isEqualTo("vera may not expire-record");
    assertThat(console.store.find(done)).isPresent();
  }

  @Test
  void anActionNeedsAReason() throws Exception {
    Map<String, Object> body = body(done);
    body.put("reason", "  ");

    assertThat(console.as(ConsoleFixture.OPERATOR).act("expire-record", body).detail())
        .startsWith("reason must have 1 to 150 characters");
    assertThat(console.store.find(done)).isPresent();
  }

  @Test
  void findsARequestByItsIdInTheTimeline() throws Exception {
    Reply byId = console.as(ConsoleFixture.VIEWER).get("timeline?tenant=acme&key=r-done");
    Reply byKey = console.as(ConsoleFixture.VIEWER).get("timeline?tenant=acme&key=done");

    assertThat(byId.values("entries", "module")).containsExactly("HTTP request");
    assertThat(byKey.values("entries", "key")).containsExactly("done");
  }

  private static Reply one(String token, Key key) throws Exception {
    return console
        .as(token)
        .get(
            "records/one?tenant=%s&scope=%s&key=%s"
                .formatted(key.tenant(), key.scope(), key.value()));
  }

  private static Map<String, Object> body(Key key) {
    return new HashMap<>(Map.of("tenant", key.tenant(), "scope", key.scope(), "key", key.value()));
  }

  private static State state(Key key) {
    return console.store.find(key).orElseThrow().state();
  }

  private static List<String> keys(Reply reply) {
    return reply.values("records", "key");
  }
}
