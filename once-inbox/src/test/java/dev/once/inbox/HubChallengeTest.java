package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HubChallengeTest {
  private static final Map<String, String> ASKED =
      Map.of("hub.mode", "subscribe", "hub.verify_token", "verify-me", "hub.challenge", "1158201");

  @Test
  void givesTheChallengeBack() {
    WebhookResponse webhookResponse = Sent.answer(WhatsApp.PROVIDER, Sent.get(ASKED));

    assertThat(webhookResponse.status()).isEqualTo(200);
    assertThat(webhookResponse.body()).isEqualTo("1158201");
    assertThat(webhookResponse.headers()).containsEntry("Content-Type", "text/plain;charset=UTF-8");
  }

  @ParameterizedTest
  @CsvSource({
    "hub.verify_token, verify-mE",
    "hub.verify_token, ''",
    "hub.mode, unsubscribe",
    "hub.challenge, ''"
  })
  void refusesACallerWithoutTheToken(String name, String value) {
    Map<String, String> query = new HashMap<>(ASKED);
    query.put(name, value);

    assertThat(refusal(query)).isEqualTo("403 webhook.challenge_refused");
    query.remove(name);
    assertThat(refusal(query)).isEqualTo("403 webhook.challenge_refused");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1\r\n2", "\0", "\u007f", "é"})
  void refusesToRepeatWhatIsNoPlainText(String challenge) {
    Map<String, String> query = new HashMap<>(ASKED);
    query.put("hub.challenge", challenge);
    assertThat(refusal(query)).isEqualTo("403 webhook.challenge_refused");

    query.put("hub.challenge", "1".repeat(257));
    assertThat(refusal(query)).isEqualTo("403 webhook.challenge_refused");
  }

  private static String refusal(Map<String, String> query) {
    return Sent.refusal(WhatsApp.PROVIDER, Sent.get(query));
  }
}
