package dev.once.examples.planning;

import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A contract that the demo can use, and its visible behaviour. */
enum DemoContract {
  STRICT("Idempotency-Replayed: true", 409),
  PLANNING("Idempotency-Replayed: true", 409),
  MOBILE("Idempotency-Replayed: true", 409),
  ASYNC("X-Idempotency-Status: HIT", 409),
  IETF("Idempotency-Replayed: true", 422),
  STRIPE("Idempotent-Replayed: true", 400);

  private final String replayMarker;
  private final int refusalStatus;

  DemoContract(String replayMarker, int refusalStatus) {
    this.replayMarker = replayMarker;
    this.refusalStatus = refusalStatus;
  }

  static DemoContract named(String word) {
    return Stream.of(values())
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> new DemoRefusal("no contract is called " + word + ": choose one of " + words()));
  }

  private static String words() {
    return Stream.of(values()).map(DemoContract::word).collect(Collectors.joining(" "));
  }

  /** Returns its name in the setting {@code once.contract}. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the header, with its value, that marks a replay. */
  String replayMarker() {
    return replayMarker;
  }

  /** Returns the status for a key that was first used with another body. */
  int refusalStatus() {
    return refusalStatus;
  }

  /** Returns a key, made from {@code id}, that this contract accepts. */
  String key(UUID id) {
    return this == MOBILE ? id.toString() : "demo-" + shortened(id);
  }

  /** Formats the key of {@code id} as this contract requires. */
  String header(UUID id) {
    return this == IETF ? "\"" + key(id) + "\"" : key(id);
  }

  /** Returns enough of {@code id} to distinguish the starts of the demo. */
  static String shortened(UUID id) {
    return id.toString().substring(0, 8);
  }
}
