package dev.once.inbox;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** The text form of signatures. Of several spellings of the same bytes, only one is accepted. */
enum SignatureEncoding {
  /** Lower-case hexadecimal digits. */
  HEX {
    @Override
    String encode(byte[] signature) {
      return HexFormat.of().formatHex(signature);
    }

    @Override
    byte[] decodeAny(String text) {
      return HexFormat.of().parseHex(text);
    }
  },
  /** Base64 with padding. */
  BASE64 {
    @Override
    String encode(byte[] signature) {
      return Base64.getEncoder().encodeToString(signature);
    }

    @Override
    byte[] decodeAny(String text) {
      return Base64.getDecoder().decode(text);
    }
  };

  abstract String encode(byte[] signature);

  /** Decodes any spelling, or throws an IllegalArgumentException. */
  abstract byte[] decodeAny(String text);

  /** Returns the bytes; empty if {@link #encode} does not write them as {@code text}. */
  Optional<byte[]> decode(String text) {
    try {
      byte[] signature = decodeAny(text);
      return encode(signature).equals(text) ? Optional.of(signature) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
