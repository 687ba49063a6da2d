package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WhatsAppTest {
  @Test
  void tellsAMessageApartByPhoneNumberAndId() {
    Item item = item("\"messages\":[" + WhatsApp.message("wamid.A", "hi") + "]");

    assertThat(item.type()).isEqualTo("message");
    assertThat(item.id()).isEqualTo("106540352242922/message/wamid.A");
    assertThat(item.account()).isEqualTo(WhatsApp.PHONE);
    assertThat(item.rank()).isEmpty();
  }

  @Test
  void givesAMessageWithItsSenderAndItsReceiver() {
    String sender = "{\"profile\":{\"name\":\"Ada\"},\"wa_id\":\"16505551234\"}";
    String other = "{\"profile\":{\"name\":\"Bob\"},\"wa_id\":\"4670000000\"}";
    String message = WhatsApp.message("wamid.A", "hi");

    Item item = item("\"contacts\":[%s,%s],\"messages\":[%s]".formatted(other, sender, message));

    assertThat(Sent.text(item))
        .isEqualTo(
            "{\"metadata\":%s,\"message\":%s,\"contact\":%s}"
                .formatted(WhatsApp.METADATA, message, sender));
  }

  @Test
  void tellsTheStatesOfAMessageApart() {
    List<Item> items =
        items(
            "\"statuses\":[%s,%s]"
                .formatted(
                    WhatsApp.status("wamid.X", "sent"), WhatsApp.status("wamid.X", "delivered")));

    assertThat(items).extracting(Item::type).containsOnly("status");
    assertThat(items)
        .extracting(Item::id)
        .containsExactly(
            "106540352242922/status/wamid.X/sent", "106540352242922/status/wamid.X/delivered");
  }

  @Test
  void ranksStatesAsAMessageReachesThem() {
    Map<String, Integer> heights =
        List.of("sent", "delivered", "read", "failed").stream()
            .collect(Collectors.toMap(it -> it, it -> rank(it).height()));

    assertThat(heights)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("sent", 1, "delivered", 2, "read", 3, "failed", 4));
    assertThat(rank("read").object()).isEqualTo("106540352242922/wamid.X");
    assertThat(item("\"statuses\":[" + WhatsApp.status("wamid.X", "played") + "]").rank())
        .isEmpty();
  }

  @Test
  void takesAThousandItemsAndRefusesMore() {
    assertThat(items("\"messages\":[" + messages(1000) + "]")).hasSize(1000);
    assertThat(
            Sent.refusal(
                WhatsApp.PROVIDER, WhatsApp.messages("\"messages\":[" + messages(1001) + "]")))
        .isEqualTo("413 webhook.too_many_items");
  }

  @Test
  void givesAccountsToTheirTenants() {
    Provider provider = WhatsApp.PROVIDER.withTenants(Map.of(WhatsApp.PHONE, "globex"));
    Item item = item("\"messages\":[" + WhatsApp.message("wamid.A", "hi") + "]");

    assertThat(provider.tenantOf(item)).isEqualTo("globex");
    assertThat(WhatsApp.PROVIDER.tenantOf(item)).isEqualTo("acme");
  }

  @Test
  void remembersLongerThanMetaTries() {
    assertThat(WhatsApp.PROVIDER.retention()).isEqualTo(Duration.ofDays(8));
  }

  private static Item.Rank rank(String status) {
    return item("\"statuses\":[" + WhatsApp.status("wamid.X", status) + "]").rank().orElseThrow();
  }

  private static String messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(it -> WhatsApp.message("wamid." + it, "hi"))
        .collect(Collectors.joining(","));
  }

  private static List<Item> items(String members) {
    return Sent.items(WhatsApp.PROVIDER, WhatsApp.messages(members));
  }

  private static Item item(String members) {
    return Sent.item(WhatsApp.PROVIDER, WhatsApp.messages(members));
  }
}
