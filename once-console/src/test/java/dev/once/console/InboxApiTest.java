package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.console.ConsoleClient.Reply;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Webhooks that were received, over HTTP. */
class InboxApiTest {
  private static ConsoleFixture console;

  @BeforeAll
  static void start() throws Exception {
    console = new ConsoleFixture("console_inbox");
    console.receive("parcels", "good-1");
    console.receive("parcels", "bad-1");
    console.receive("parcels", "bad-2");
    console.processItems();
    console.receive("parcels", "new-1");
  }

  @AfterAll
  static void stop() throws Exception {
    console.close();
  }

  @Test
  void listsItemsByTheirState() throws Exception {
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);

    assertThat(viewer.get("inbox/providers?tenant=acme").json().get("providers").toString())
        .isEqualTo("[\"parcels\"]");
    Reply all = viewer.get("inbox?tenant=acme&provider=parcels");
    assertThat(all.values("items", "key")).contains("good-1", "bad-1", "new-1");
    assertThat(viewer.get("inbox?tenant=acme&provider=parcels&state=ready").values("items", "key"))
        .contains("new-1")
        .doesNotContain("good-1");
    assertThat(
            viewer.get("inbox?tenant=acme&provider=parcels&state=processed").values("items", "key"))
        .contains("good-1");
    assertThat(viewer.get("inbox?tenant=acme&provider=parcels&state=lost").status()).isEqualTo(400);
    assertThat(viewer.get("inbox?tenant=acme").status()).isEqualTo(400);
  }

  @Test
  void readsPageAfterPage() throws Exception {
    ConsoleClient viewer = console.as(ConsoleFixture.VIEWER);
    String path = "inbox?tenant=acme&provider=parcels&limit=3";

    Reply first = viewer.get(path);
    Reply second = viewer.get(path + "&after=" + first.json().get("next").asString());

    assertThat(first.values("items", "key")).containsExactly("bad-1", "bad-2", "good-1");
    assertThat(second.values("items", "key")).containsExactly("new-1");
    assertThat(viewer.get(path + "&after=nonsense").status()).isEqualTo(400);
  }

  @Test
  void retriesOrDiscardsAnItemThatDied() throws Exception {
    ConsoleClient operator = console.as(ConsoleFixture.OPERATOR);
    Reply dead = one(ConsoleFixture.OPERATOR, "bad-1");
    String job = dead.json().get("job").asString();

    assertThat(dead.json().get("reason").asString()).contains("no such parcel");
    assertThat(one(ConsoleFixture.VIEWER, "bad-1").text()).doesNotContain("no such parcel");
    assertThat(one(ConsoleFixture.READER, "bad-1").text()).doesNotContain("1234567");
    assertThat(operator.act("retry-job", Map.of("tenant", "acme", "id", job)).status())
        .isEqualTo(200);
    assertThat(one(ConsoleFixture.VIEWER, "bad-1").json().get("state").asString())
        .isEqualTo("ready");

    String other = one(ConsoleFixture.OPERATOR, "bad-2").json().get("job").asString();
    assertThat(operator.act("discard-job", Map.of("tenant", "acme", "id", other)).status())
        .isEqualTo(200);
    assertThat(one(ConsoleFixture.VIEWER, "bad-2").json().get("state").asString())
        .isEqualTo("discarded");
  }

  private static Reply one(String token, String id) throws Exception {
    return console.as(token).get("inbox/one?tenant=acme&provider=parcels&key=" + id);
  }
}
