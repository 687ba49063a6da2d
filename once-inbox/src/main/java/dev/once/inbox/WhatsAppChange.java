package dev.once.inbox;

import dev.once.Fingerprint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One change that WhatsApp reports: messages, statuses and errors, or another field. */
final class WhatsAppChange {
  private static final String MESSAGE = "message";
  private static final String STATUS = "status";
  private static final String ERROR = "error";

  private static final List<String> LISTS = List.of("messages", "statuses", "errors");

  /** Types with another meaning, which must not be used as the type of a field with that name. */
  private static final Set<String> TAKEN = Set.of(MESSAGE, STATUS, ERROR, Item.UNKNOWN);

  /** A failed message will not be sent, delivered or read any more. */
  private static final List<String> STATES = List.of("sent", "delivered", "read", "failed");

  private final JsonNode entry;
  private final JsonNode change;
  private final JsonNode value;
  private final JsonNode metadata;
  private final String phone;

  WhatsAppChange(JsonNode entry, JsonNode change) {
    this.entry = entry;
    this.change = change;
    this.value = change.path("value");
    this.metadata = value.path("metadata");
    this.phone = account(metadata.path("phone_number_id"));
  }

  List<Item> items() {
    String field = change.path("field").stringValue("");
    if (!field.equals("messages")) {
      return List.of(other(field));
    }
    if (LISTS.stream().noneMatch(value::has)) {
      return List.of(dated(DigestedItem.unknown(phone, change)));
    }
    List<Item> items = new ArrayList<>();
    add(items, "messages", this::message);
    add(items, "statuses", this::status);
    add(items, "errors", it -> DigestedItem.of(ERROR, phone, it, about(ERROR, it)));
    return items.stream().map(this::dated).toList();
  }

  /** Returns the item with a time: its own, or else that of the entry. */
  private Item dated(Item item) {
    return item.occurredAt().isPresent() ? item : item.withOccurredAt(time(entry.path("time")));
  }

  private void add(List<Item> items, String name, Function<JsonNode, Item> item) {
    JsonNode list = value.path(name);
    if (list.isArray()) {
      list.forEach(it -> items.add(item.apply(it)));
    } else if (!list.isMissingNode()) {
      items.add(DigestedItem.unknown(phone, list));
    }
  }

  private Item message(JsonNode it) {
    ObjectNode data = about(MESSAGE, it);
    WhatsAppContact.of(it, value.path("contacts"))
        .ifPresent(contact -> data.set("contact", contact));
    return ItemId.of(phone, MESSAGE, it.path("id").stringValue(""))
        .map(id -> item(MESSAGE, id, it, Optional.empty(), data))
        .orElseGet(() -> DigestedItem.unknown(phone, it));
  }

  /**
   * Reads a status. Its id is that of the message, and is repeated for each state that the message
   * reaches.
   */
  private Item status(JsonNode it) {
    String message = it.path("id").stringValue("");
    String state = it.path("status").stringValue("");
    return ItemId.of(phone, STATUS, message, state)
        .map(id -> item(STATUS, id, it, rank(message, state), about(STATUS, it)))
        .orElseGet(() -> DigestedItem.unknown(phone, it));
  }

  private Optional<Item.Rank> rank(String message, String state) {
    int height = 1 + STATES.indexOf(state);
    return height == 0
        ? Optional.empty()
        : ItemId.of(phone, message).map(object -> new Item.Rank(object, height));
  }

  /**
   * Reads a change of the account itself. The entry's time distinguishes it from an earlier change.
   */
  private Item other(String field) {
    ObjectNode from = StrictJson.object();
    from.set("id", entry.path("id"));
    if (entry.has("time")) {
      from.set("time", entry.path("time"));
    }
    ObjectNode data = StrictJson.object();
    data.set("entry", from);
    data.set("change", change);
    String type = TAKEN.contains(field) ? Item.UNKNOWN : EventItems.typeOf(field);
    String account = phone.isEmpty() ? account(entry.path("id")) : phone;
    return DigestedItem.of(type, account, data, data).withOccurredAt(time(entry.path("time")));
  }

  private ObjectNode about(String name, JsonNode it) {
    ObjectNode data = StrictJson.object();
    if (metadata.isObject()) {
      data.set("metadata", metadata);
    }
    data.set(name, it);
    return data;
  }

  private Item item(
      String type, String id, JsonNode it, Optional<Item.Rank> rank, ObjectNode data) {
    Fingerprint fingerprint = StrictJson.fingerprint(StrictJson.bytes(it));
    return new Item(type, id, phone, fingerprint, rank, StrictJson.bytes(data))
        .withOccurredAt(time(it.path("timestamp")));
  }

  /** Reads Unix seconds; empty if there are none, as in items that cannot be read. */
  private static Optional<Instant> time(JsonNode seconds) {
    return FieldSource.text(seconds).flatMap(TimestampFormat.UNIX_SECONDS::parse);
  }

  private static String account(JsonNode id) {
    return FieldSource.text(id)
        .filter(it -> ItemId.isUsable(it, ItemId.MAX_ACCOUNT_CHARS))
        .orElse("");
  }
}
