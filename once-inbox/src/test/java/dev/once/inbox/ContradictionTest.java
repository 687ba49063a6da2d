package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Items that conflict with each other do not affect other items. */
class ContradictionTest {
  private final InboxDatabase database = new InboxDatabase("contradiction");
  private final Inbox inbox = database.inbox(WhatsApp.PROVIDER);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void takesADeliveryThatContradictsAnEarlierOneInManyWays() {
    receive(WhatsApp.message("wamid.1", "the first"));
    String others =
        IntStream.range(0, 12)
            .mapToObj(i -> WhatsApp.message("wamid.1", "another " + i))
            .collect(Collectors.joining(","));

    assertThat(receive(others + "," + WhatsApp.message("wamid.2", "innocent")).status())
        .isEqualTo(200);
    assertThat(database.heard(InboxEvent.Conflict.class)).hasSize(12);
  }

  @Test
  void countsWhatIsTwiceInOneDelivery() {
    String message = WhatsApp.message("wamid.1", "hello");

    receive(message + "," + message);

    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(1);
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(1);
  }

  @Test
  void tellsOfAnItemThatItWasAcceptedThoughItsDeliveryHadToComeTwice() {
    receive(WhatsApp.message("wamid.1", "pay 40"));
    refuseConflicts();
    String delivery =
        WhatsApp.message("wamid.1", "pay 4000") + "," + WhatsApp.message("wamid.2", "innocent");
    assertThatThrownBy(() -> receive(delivery)).isInstanceOf(StoreException.class);
    database.sql().execute("DROP TRIGGER refuse ON once_record");

    receive(delivery);

    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(2);
    assertThat(database.heard(InboxEvent.Conflict.class)).hasSize(1);
  }

  private void refuseConflicts() {
    database
        .sql()
        .execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE 'disk full'; END $$");
    database
        .sql()
        .execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON once_record FOR EACH ROW"
                + " WHEN (NEW.scope LIKE 'webhook_conflict:%') EXECUTE FUNCTION refuse()");
  }

  private WebhookResponse receive(String messages) {
    return inbox.receive("whatsapp", WhatsApp.messages("\"messages\":[" + messages + "]"));
  }
}
