package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WhatsAppChangeTest {
  private static final String TEMPLATE =
      "{\"field\":\"message_template_status_update\",\"value\":{\"event\":\"APPROVED\"}}";

  @Test
  void namesOtherChangesByTheirField() {
    Item item = Sent.item(WhatsApp.PROVIDER, WhatsApp.change(TEMPLATE));

    assertThat(item.type()).isEqualTo("message_template_status_update");
    assertThat(item.account()).isEqualTo("102290129340398");
    assertThat(Sent.text(item))
        .isEqualTo(
            "{\"entry\":{\"id\":\"102290129340398\",\"time\":1750263700},\"change\":%s}"
                .formatted(TEMPLATE));
  }

  @Test
  void tellsOtherChangesApartByContentAndTime() {
    Delivery now = WhatsApp.change(TEMPLATE);
    Delivery again = WhatsApp.change(TEMPLATE.replace(":", " : "));
    Delivery later = Signed.hub(new String(now.body(), UTF_8).replace("1750263700", "1750269999"));

    assertThat(id(again)).isEqualTo(id(now));
    assertThat(id(later)).isNotEqualTo(id(now));
  }

  @Test
  void givesNoChangeTheTypeOfAMessage() {
    Delivery delivery = WhatsApp.change("{\"field\":\"message\",\"value\":{}}");

    assertThat(Sent.item(WhatsApp.PROVIDER, delivery).type()).isEqualTo("unknown");
  }

  @Test
  void givesErrorsThatBelongToNoMessage() {
    Delivery delivery = WhatsApp.messages("\"errors\":[{\"code\":130429,\"title\":\"Rate\"}]");

    Item item = Sent.item(WhatsApp.PROVIDER, delivery);

    assertThat(item.type()).isEqualTo("error");
    assertThat(Sent.text(item))
        .isEqualTo(
            "{\"metadata\":%s,\"error\":{\"code\":130429,\"title\":\"Rate\"}}"
                .formatted(WhatsApp.METADATA));
  }

  @Test
  void takesASoleContactForTheSender() {
    String contact = "{\"wa_id\":\"5215512345678\"}";
    Delivery delivery =
        WhatsApp.messages(
            "\"contacts\":[%s],\"messages\":[%s]"
                .formatted(contact, WhatsApp.message("wamid.A", "hola")));

    assertThat(Sent.text(Sent.item(WhatsApp.PROVIDER, delivery)))
        .endsWith("\"contact\":" + contact + "}");
  }

  @Test
  void namesNoSenderIfSeveralArePossible() {
    Delivery delivery =
        WhatsApp.messages(
            "\"contacts\":[{\"wa_id\":\"1\"},{\"wa_id\":\"2\"}],\"messages\":[%s]"
                .formatted(WhatsApp.message("wamid.A", "hola")));

    assertThat(Sent.text(Sent.item(WhatsApp.PROVIDER, delivery))).doesNotContain("contact");
  }

  private static String id(Delivery delivery) {
    return Sent.item(WhatsApp.PROVIDER, delivery).id();
  }
}
