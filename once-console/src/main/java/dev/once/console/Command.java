package dev.once.console;

import dev.once.Key;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a user wants to change, and why. */
record Command(ConsoleUser user, JsonNode body) {
  static final int MAX_REASON_CHARS = 150;

  private static final List<String> SUBJECT =
      List.of("tenant", "scope", "id", "run", "endpoint", "handler", "event");

  String reason() {
    String reason = require("reason").strip();
    if (reason.isEmpty() || reason.length() > MAX_REASON_CHARS) {
      throw ApiException.invalid(
          "reason must have 1 to %d characters, got %d"
              .formatted(MAX_REASON_CHARS, reason.length()));
    }
    return reason;
  }

  /** Returns who and why, for audit trails that have one column for both. */
  String actorAndReason() {
    return user.name() + " (" + reason() + ")";
  }

  String require(String name) {
    return text(name).orElseThrow(() -> ApiException.invalid(name + " is missing"));
  }

  Optional<String> text(String name) {
    JsonNode value = body.get(name);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isString()) {
      throw ApiException.invalid(name + " must be text");
    }
    return ApiException.checked(name, Optional.of(value.stringValue()));
  }

  boolean flag(String name) {
    JsonNode value = body.get(name);
    if (value == null || !value.isBoolean()) {
      throw ApiException.invalid(name + " must be true or false");
    }
    return value.booleanValue();
  }

  /** Returns a number, which is sent as text. */
  long number(String name) {
    try {
      return Long.parseLong(require(name));
    } catch (NumberFormatException e) {
      throw ApiException.invalid(name + " must be a whole number, as text");
    }
  }

  String tenant() {
    return require("tenant");
  }

  /** Returns the key that the command names. */
  Key key() {
    return new Key(tenant(), require("scope"), require("key"));
  }

  /** Returns what the command names, for the audit trail; of a key its hash alone. */
  Map<String, String> subject() {
    Map<String, String> subject = new TreeMap<>();
    for (String it : SUBJECT) {
      text(it).ifPresent(value -> subject.put(it, value));
    }
    if (text("key").isPresent()) {
      subject.put("key_hash", key().shortHash());
    }
    return subject;
  }
}
