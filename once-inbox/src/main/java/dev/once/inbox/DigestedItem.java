package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes items that nothing but their content tells apart. */
final class DigestedItem {
  private static final String KIND = "digest";

  private DigestedItem() {}

  /** Something that cannot be read: it is kept as it is, for somebody to look at. */
  static Item unknown(String account, JsonNode it) {
    ObjectNode data = StrictJson.object();
    data.set(Item.UNKNOWN, it);
    return of(Item.UNKNOWN, account, it, data);
  }

  static Item of(String type, String account, JsonNode it, ObjectNode data) {
    Fingerprint fingerprint = StrictJson.fingerprint(StrictJson.bytes(it), type);
    String digest = fingerprint.digest();
    String id =
        (account.isEmpty() ? ItemId.of(KIND, digest) : ItemId.of(account, KIND, digest))
            .orElseThrow(() -> new AssertionError("an account and a digest are short"));
    return new Item(type, id, account, fingerprint, Optional.empty(), StrictJson.bytes(data));
  }
}
