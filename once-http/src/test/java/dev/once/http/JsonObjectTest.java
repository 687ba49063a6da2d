package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonObjectTest {
  private static final JsonMapper JACKSON = new JsonMapper();

  @Test
  void keepsTheOrderInWhichMembersWerePut() {
    JsonObject problem =
        new JsonObject()
            .put("type", "https://example.com/problems/key-reused")
            .put("title", "Key reused")
            .put("status", 409)
            .put("code", "idempotency.payload_mismatch");

    assertThat(text(problem))
        .isEqualTo(
            "{\"type\":\"https://example.com/problems/key-reused\",\"title\":\"Key reused\","
                + "\"status\":409,\"code\":\"idempotency.payload_mismatch\"}");
  }

  @Test
  void holdsOtherObjects() {
    JsonObject error = new JsonObject().put("code", "CONCURRENT_REQUEST").put("message", "wait");
    JsonObject body = new JsonObject().put("error", error);

    error.put("later", 1);

    JsonNode read = JACKSON.readTree(body.toBytes());
    assertThat(read.at("/error/code").stringValue()).isEqualTo("CONCURRENT_REQUEST");
    assertThat(read.at("/error/later").isMissingNode()).isTrue();
  }

  @Test
  void mayBeEmpty() {
    assertThat(text(new JsonObject())).isEqualTo("{}");
  }

  @Test
  void escapesNamesAndValues() {
    assertThat(text(new JsonObject().put("a\"\\", "\"\\\0\b\n\r\t\u001f/\u007f")))
        .isEqualTo("{\"a\\\"\\\\\":\"\\\"\\\\\\u0000\\u0008\\u000a\\u000d\\u0009\\u001f/\u007f\"}");
  }

  @Test
  void writesUtf8() {
    assertThat(text(new JsonObject().put("caf\u00e9", "\u20ac \ud83d\ude00")))
        .isEqualTo("{\"caf\u00e9\":\"\u20ac \ud83d\ude00\"}");
  }

  @Test
  void replacesHalfASurrogatePair() {
    assertThat(text(new JsonObject().put("a\ude00", "\ud83d \ude00\ud83d")))
        .isEqualTo("{\"a\ufffd\":\"\ufffd \ufffd\ufffd\"}");
  }

  @Test
  void refusesANameThatItHas() {
    JsonObject object = new JsonObject().put("code", "a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> object.put("code", 1))
        .withMessage("object already has a member code; put it once");
  }

  private static String text(JsonObject object) {
    return new String(object.toBytes(), UTF_8);
  }
}
