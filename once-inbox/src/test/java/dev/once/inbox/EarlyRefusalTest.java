package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The inbox reads a body only if the head is acceptable, and no more of it than it needs. */
class EarlyRefusalTest {
  private static final int MAX_BYTES = 1000;
  private static final InboxDatabase DATABASE = new InboxDatabase("early");
  private static final Inbox INBOX =
      DATABASE.inbox(
          WhatsApp.PROVIDER.withMaxBytes(MAX_BYTES),
          Provider.mtnMomo("acme").withPathToken("Zk3v-unguessable-7Q"));
  private static final Delivery GENUINE =
      WhatsApp.messages("\"messages\":[" + WhatsApp.message("wamid.1", "hello") + "]");
  private static final Delivery HEAD = GENUINE.withBody(new byte[0]);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  static Stream<Arguments> heads() {
    return Stream.of(
        Arguments.of("nobody", 404, HEAD),
        Arguments.of("momo", 404, Sent.put("", "without-the-token", "r-1")),
        Arguments.of("whatsapp", 405, Sent.put("")),
        Arguments.of("whatsapp", 415, Signed.with(HEAD, "content-type", "text/plain")),
        Arguments.of("whatsapp", 413, Signed.with(HEAD, "content-length", "1001")),
        Arguments.of("whatsapp", 413, Signed.with(HEAD, "content-length", "9223372036854775807")));
  }

  @ParameterizedTest
  @MethodSource("heads")
  void refusesAHeadWithoutReadingTheBody(String provider, int status, Delivery head)
      throws Exception {
    int heard = DATABASE.heard(InboxEvent.Refused.class).size();

    WebhookResponse response = INBOX.receive(provider, head, EarlyRefusalTest::mustNotBeRead);

    assertThat(response.status()).isEqualTo(status);
    assertThat(DATABASE.heard(InboxEvent.Refused.class)).hasSize(heard + 1);
  }

  @Test
  void readsOneByteMoreThanAllowedToFindOutThatThereAreTooMany() throws Exception {
    List<Integer> read = new ArrayList<>();

    WebhookResponse response =
        INBOX.receive(
            "whatsapp",
            HEAD,
            maxBytes -> {
              read.add(maxBytes);
              return new byte[maxBytes];
            });

    assertThat(response.status()).isEqualTo(413);
    assertThat(read).containsExactly(MAX_BYTES + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000", "-1", "", "many", "5, 5"})
  void readsABodyThatIsNotAnnouncedAsTooLarge(String length) throws Exception {
    Delivery head = Signed.with(HEAD, "content-length", length);

    WebhookResponse response = INBOX.receive("whatsapp", head, maxBytes -> GENUINE.body());

    assertThat(response.status()).isEqualTo(200);
  }

  @Test
  void passesOnThatTheBodyCouldNotBeRead() {
    IOException reset = new IOException("connection reset");

    assertThatThrownBy(
            () ->
                INBOX.receive(
                    "whatsapp",
                    HEAD,
                    maxBytes -> {
                      throw reset;
                    }))
        .isSameAs(reset);
  }

  private static byte[] mustNotBeRead(int maxBytes) {
    throw new AssertionError("up to " + maxBytes + " bytes of the body were read");
  }
}
