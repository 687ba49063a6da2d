package dev.once.workflow;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Sealing;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.Packing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Packs what workflows store, sealed if there are keys. Thread-safe. */
record Values(Packing packing) {
  /** Never seals: for fingerprints. */
  static final Values PLAIN = new Values(Packing.of(Sealing.NONE));

  private static final Codec<@Nullable String> TEXT = Codec.text();

  /** The maximum size of one value, as for the payload of a job. */
  static final int MAX_BYTES = 1 << 20;

  private static final int MAX_FAILURE_CHARS = 1000;

  /** What a value belongs to: a sealed value opens for nothing else. */
  record Place(String tenant, String scope, String what) {
    private static final String WORKFLOW = "workflow:";
    private static final String INPUT = "input";

    static Place input(String tenant, String workflow) {
      return new Place(tenant, WORKFLOW + workflow, INPUT);
    }

    static boolean isInput(Key key) {
      return key.value().equals(INPUT);
    }

    static Place value(String tenant, String workflow) {
      return new Place(tenant, WORKFLOW + workflow, "value");
    }

    static Place failure(String tenant, String workflow) {
      return new Place(tenant, WORKFLOW + workflow, "failure");
    }

    static Place entry(String tenant, String workflow, String path) {
      return new Place(tenant, WORKFLOW + workflow, "entry:" + path);
    }

    /** The sender of a signal does not know which workflow waits for it. */
    static Place signal(String tenant, String name) {
      return new Place(tenant, "workflow_signal", name);
    }

    private Key key() {
      return new Key(tenant, scope, what);
    }
  }

  <T extends @Nullable Object> byte[] pack(Place place, Codec<T> codec, T value) {
    return pack(place, codec.encode(value));
  }

  byte[] pack(Place place, Outcome outcome) {
    byte[] packed = packing.pack(place.key(), outcome);
    if (packed.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "%s must have at most %d bytes as it is stored, got %d: keep it elsewhere and use its name"
              .formatted(place.what(), MAX_BYTES, packed.length));
    }
    return packed;
  }

  <T extends @Nullable Object> T unpack(Place place, Codec<T> codec, byte[] packed) {
    return codec.decode(packing.unpack(place.key(), packed));
  }

  byte[] packFailure(Place place, Throwable thrown) {
    String text = thrown.toString();
    String shortened =
        text.length() <= MAX_FAILURE_CHARS ? text : text.substring(0, MAX_FAILURE_CHARS) + "…";
    return pack(place, TEXT, shortened);
  }

  String unpackFailure(Place place, byte @Nullable [] packed) {
    return packed == null
        ? ""
        : Objects.requireNonNullElse(this.<@Nullable String>unpack(place, TEXT, packed), "");
  }

  /**
   * Returns why something failed, or why that cannot be read: a list must not fail because of it.
   */
  String readFailure(Place place, byte[] packed) {
    try {
      return unpackFailure(place, packed);
    } catch (UnreadableOutcomeException e) {
      return "its failure is sealed: " + e.getMessage();
    }
  }
}
