package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Describes how a custom provider signs: HMAC-SHA-256 in a header, over the body or over a
 * timestamp, a full stop and the body. An immutable value:
 *
 * <pre>{@code
 * Signing.hmacSha256("X-Acme-Signature", secret).withPrefix("sha256=").withTimestamp("X-Acme-Time")
 * }</pre>
 */
public final class Signing {
  private static final byte[] FULL_STOP = {'.'};

  private final String header;
  private final Optional<Secrets> secrets;
  private final String prefix;
  private final Function<byte[], String> spelling;
  private final Optional<String> timestamp;

  private Signing(
      String header,
      Optional<Secrets> secrets,
      String prefix,
      Function<byte[], String> spelling,
      Optional<String> timestamp) {
    this.header = header;
    this.secrets = secrets;
    this.prefix = prefix;
    this.spelling = spelling;
    this.timestamp = timestamp;
  }

  /**
   * Describes a signature in lower-case hexadecimal digits, over the body.
   *
   * @param header the header that contains the signature
   * @param secrets the valid secrets: one, or two while one replaces the other
   */
  public static Signing hmacSha256(String header, String... secrets) {
    return new Signing(
        name(header),
        Optional.of(Secrets.ofText(secrets)),
        "",
        HexFormat.of()::formatHex,
        Optional.empty());
  }

  /**
   * Describes a provider without signatures: any client may send, so the provider has to confirm
   * every item.
   */
  public static Signing none() {
    return new Signing("", Optional.empty(), "", HexFormat.of()::formatHex, Optional.empty());
  }

  /** Returns the same description, with this text before the signature. */
  public Signing withPrefix(String text) {
    return new Signing(header, secrets, text, spelling, timestamp);
  }

  /** Returns the same description, with the signature in base64. */
  public Signing inBase64() {
    return new Signing(header, secrets, prefix, Base64.getEncoder()::encodeToString, timestamp);
  }

  /**
   * Returns the same description, with the signature over the Unix seconds in this header, a full
   * stop and the body.
   */
  public Signing withTimestamp(String name) {
    return new Signing(header, secrets, prefix, spelling, Optional.of(name(name)));
  }

  boolean isNone() {
    return secrets.isEmpty();
  }

  void verify(Delivery delivery, Freshness freshness) {
    secrets.ifPresent(it -> verify(it, delivery, freshness));
  }

  private void verify(Secrets with, Delivery delivery, Freshness freshness) {
    String given = delivery.header(header).orElse("");
    if (given.isEmpty()) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_MISSING);
    }
    Optional<String> time = timestamp.map(name -> delivery.header(name).orElse(""));
    byte[][] parts =
        time.map(it -> new byte[][] {it.getBytes(UTF_8), FULL_STOP, delivery.body()})
            .orElseGet(() -> new byte[][] {delivery.body()});
    if (!with.make(List.of(given), mac -> prefix + spelling.apply(mac), parts)) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    time.ifPresent(freshness::check);
  }

  /** Returns the id of deliveries that have none: a digest of signature, timestamp and body. */
  FieldSource digest() {
    return (delivery, json) -> {
      String signature = delivery.header(header).orElse("");
      String time = timestamp.flatMap(delivery::header).orElse("");
      return Optional.of(StrictJson.fingerprint(delivery.body(), signature, time).digest());
    };
  }

  private static String name(String header) {
    if (!header.matches("[A-Za-z0-9-]{1,64}")) {
      throw new IllegalArgumentException(
          "header must have 1 to 64 letters, digits and -, got " + header);
    }
    return header.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return isNone() ? "Signing[none]" : "Signing[" + header + "]";
  }
}
