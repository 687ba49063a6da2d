package dev.once.examples.offline;

import dev.once.client.Operation;
import tools.jackson.databind.json.JsonMapper;

/** The operation "create a room", as the API of the demo expects it. */
final class RoomOperation {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String META = "{\"type\":\"createRoom\",\"version\":1}";

  private RoomOperation() {}

  /** Two phones that send an operation with the same id and key send the same bytes. */
  static Operation of(String url, PhoneCommand command) {
    return Operation.post(url)
        .id(command.id())
        .key(command.key())
        .type("createRoom")
        .envelope(META, payload(command.name()))
        .build();
  }

  static byte[] body(Operation original, String name) {
    return original.copy().envelope(META, payload(name)).build().body();
  }

  static String name(byte[] body) {
    return JSON.readTree(body).path("payload").path("name").asString("");
  }

  private static String payload(String name) {
    return JSON.writeValueAsString(JSON.createObjectNode().put("name", name));
  }
}
