package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes items that are identified by a digest of their content. */
final class DigestedItem {
  private static final String KIND = "digest";

  private DigestedItem() {}

  /**
   * Returns an item for content that cannot be interpreted. It is stored unchanged, so that an
   * operator can inspect it.
   */
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
