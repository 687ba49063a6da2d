package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One item that cannot be read never fails the other items of its delivery. */
class WhatsAppPoisonTest {
  private static final String GOOD = WhatsApp.message("wamid.A", "hi");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "null",
        "[]",
        "17",
        "\"text\"",
        "{\"id\":17}",
        "{\"id\":\"\"}",
        "{\"id\":null}",
        "{\"id\":\"a\\u0000b\"}",
        "{\"id\":\"a\\ud83d\"}",
        "{\"n\":1e99999}"
      })
  void keepsAPoisonItemAsUnknown(String poison) {
    List<Item> items = items("\"messages\":[%s,%s]".formatted(poison, GOOD));

    assertThat(items).extracting(Item::type).containsExactly("unknown", "message");
    assertThat(items.get(0).id()).startsWith(WhatsApp.PHONE + "/digest/");
    assertThat(items.get(0).account()).isEqualTo(WhatsApp.PHONE);
  }

  @Test
  void keepsAnItemWithTooLongAnIdAsUnknown() {
    String message = WhatsApp.message("w".repeat(240), "hi");

    assertThat(items("\"messages\":[" + message + "]"))
        .extracting(Item::type)
        .containsExactly("unknown");
  }

  @Test
  void keepsAStatusWithoutAStateAsUnknown() {
    assertThat(items("\"statuses\":[{\"id\":\"wamid.X\"}],\"messages\":[" + GOOD + "]"))
        .extracting(Item::type)
        .containsExactly("message", "unknown");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"messages\":{\"id\":\"wamid.A\"}",
        "\"statuses\":null",
        "\"errors\":3",
        "\"x\":1"
      })
  void keepsListsThatAreNoneAsUnknown(String members) {
    assertThat(items(members)).extracting(Item::type).containsExactly("unknown");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[1]",
        "{\"object\":\"page\",\"entry\":[]}",
        "{\"object\":\"whatsapp_business_account\",\"entry\":{}}",
        "{\"object\":\"whatsapp_business_account\",\"entry\":[1]}",
        "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"changes\":[null]}]}",
        "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"changes\":[{\"field\":\"messages\"}]}]}"
      })
  void keepsDeliveriesOfAnotherShapeAsUnknown(String body) {
    Item item = Sent.item(WhatsApp.PROVIDER, Signed.hub(body));

    assertThat(item.type()).isEqualTo("unknown");
    assertThat(item.id()).startsWith("digest/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hi \\ud83d", "\\ud83d hi", "\\ude00", "\\ud83d\\ud83d\\ude00é"})
  void readsATextWithHalfAnEmoji(String text) {
    Item item = items("\"messages\":[" + WhatsApp.message("wamid.A", text) + "]").get(0);

    assertThat(item.type()).isEqualTo("message");
    JsonNode message = new JsonMapper().readTree(item.data()).path("message");
    JsonNode sent = new JsonMapper().readTree(WhatsApp.message("wamid.A", text));
    assertThat(message).isEqualTo(sent);
  }

  @Test
  void keepsEveryDigitOfANumber() {
    Item item = items("\"messages\":[{\"id\":\"wamid.A\",\"n\":[1.10,9007199254740993]}]").get(0);

    assertThat(Sent.text(item)).contains("[1.10,9007199254740993]");
  }

  private static List<Item> items(String members) {
    return Sent.items(WhatsApp.PROVIDER, WhatsApp.messages(members));
  }
}
