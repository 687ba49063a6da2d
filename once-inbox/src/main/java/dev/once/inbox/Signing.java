package dev.once.inbox;

import dev.once.internal.Limits;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Describes how a provider signs its deliveries: the algorithm and its keys, how the header is
 * written, and what is signed. An immutable value; a change of one setting makes another:
 *
 * <pre>{@code
 * Signing.hmacSha256("X-Acme-Signature", secret).withPrefix("sha256=").withTimestamp("X-Acme-Time")
 * Signing.ed25519("X-Signature-Ed25519", key).withTimestamp("X-Signature-Timestamp")
 *     .over("{timestamp}{body}")
 * }</pre>
 *
 * <p>Unless told otherwise, a header has one signature, in lower-case hexadecimal digits, over the
 * body. Several keys are valid at once, so that one can replace another.
 */
public final class Signing {
  /** Longer headers are refused, before anything is computed from them. */
  public static final int MAX_HEADER_CHARS = 4096;

  /** The signatures of one delivery, of which one must be genuine. */
  public static final int MAX_SIGNATURES = 8;

  public static final int MAX_KEYS = 8;

  private static final int MAX_PREFIX_CHARS = 64;

  private final SigningSettings is;

  private Signing(SigningSettings settings) {
    this.is = settings; // not changed after this point
  }

  /** Describes signatures by HMAC-SHA-1, which some providers still use. */
  public static Signing hmacSha1(String header, String... secrets) {
    return of(header, Secrets.hmac("HmacSHA1", secrets));
  }

  /**
   * Describes signatures by HMAC-SHA-256.
   *
   * @param header the header that contains the signature
   * @param secrets the valid secrets: one, or two while one replaces the other
   */
  public static Signing hmacSha256(String header, String... secrets) {
    return of(header, Secrets.hmac("HmacSHA256", secrets));
  }

  /** Describes signatures by HMAC-SHA-512. */
  public static Signing hmacSha512(String header, String... secrets) {
    return of(header, Secrets.hmac("HmacSHA512", secrets));
  }

  /**
   * Describes signatures by Ed25519.
   *
   * @param keys the valid public keys: as PEM, as base64, or their 32 bytes as base64 (also with
   *     {@code whpk_}) or hexadecimal digits
   */
  public static Signing ed25519(String header, String... keys) {
    return of(header, PublicKeys.ed25519(keys));
  }

  /**
   * Describes signatures by RSA with SHA-256 (PKCS #1), in base64.
   *
   * @param keys the valid public keys of 2048 bits or more: as PEM, as base64, or as certificates
   *     in PEM. Whether a certificate has expired or was revoked is not checked
   */
  public static Signing rsaSha256(String header, String... keys) {
    return of(header, PublicKeys.rsaSha256(keys)).inBase64();
  }

  /** Describes a way of signing that only code can verify. */
  public static Signing checkedBy(SignatureCheck check) {
    return new Signing(new SigningSettings()).with(it -> it.check = Optional.of(check));
  }

  /**
   * Describes a provider without signatures: any client may send, so the provider has to confirm
   * every item.
   */
  public static Signing none() {
    return new Signing(new SigningSettings());
  }

  private static Signing of(String header, SignatureKeys keys) {
    String name = name(header);
    return none()
        .with(
            it -> {
              it.header = name;
              it.keys = Optional.of(keys);
            });
  }

  /**
   * Returns the same description, with this text before the signature. With a {@link
   * #withSeparator}, elements that start with another text are passed over.
   */
  public Signing withPrefix(String text) {
    Limits.length("prefix", text, 0, MAX_PREFIX_CHARS);
    return with(it -> it.prefix = text);
  }

  /** Returns the same description, with several elements in the header, separated by this text. */
  public Signing withSeparator(String text) {
    Limits.length("separator", text, 1, MAX_PREFIX_CHARS);
    return with(it -> it.separator = Optional.of(text));
  }

  /** Returns the same description, with the signature in base64. */
  public Signing inBase64() {
    return with(it -> it.encoding = SignatureEncoding.BASE64);
  }

  /**
   * Returns the same description, with the secrets of an HMAC read as base64, with or without
   * {@code whsec_} before it.
   */
  public Signing withSecretsInBase64() {
    if (is.keys.orElse(null) instanceof Secrets secrets) {
      return with(it -> it.keys = Optional.of(secrets.inBase64()));
    }
    throw new IllegalStateException("only an HMAC has secrets");
  }

  /**
   * Returns the same description, with the time in this header. Unless {@link #over} says
   * otherwise, the signature is over the time, a full stop and the body.
   */
  public Signing withTimestamp(String header) {
    String name = name(header);
    return with(it -> it.timestamp = Optional.of(new TimestampSource.Header(name)));
  }

  /**
   * Returns the same description, with the time in the element of the signature's header that
   * starts with this text, such as {@code t=}.
   */
  public Signing withTimestampElement(String text) {
    Limits.length("prefix", text, 1, MAX_PREFIX_CHARS);
    return with(it -> it.timestamp = Optional.of(new TimestampSource.Element(text)));
  }

  /** Returns the same description, with the time in the body, at a JSON Pointer. */
  public Signing withTimestampAt(String pointer) {
    FieldSource field = Fields.at(pointer);
    return with(it -> it.timestamp = Optional.of(new TimestampSource.Body(field)));
  }

  /** Returns the same description, with the time written so; Unix seconds unless told otherwise. */
  public Signing withTimestampFormat(TimestampFormat format) {
    return with(it -> it.format = format);
  }

  /**
   * Returns the same description, with the signature over a text with placeholders: <code>{body}
   * </code>, <code>{timestamp}</code>, <code>{header:name}</code>, <code>{form}</code> for the
   * fields of a form in the order of their names, each name followed by its value, and <code>
   * {crc32}</code> for that sum of the body as a decimal number.
   */
  public Signing over(String template) {
    return over(SignatureTemplate.of(template));
  }

  /** Returns the same description, with the signature over what {@code content} returns. */
  public Signing over(SignedContent content) {
    return with(it -> it.content = Optional.of(content));
  }

  boolean isNone() {
    return is.keys.isEmpty() && is.check.isEmpty();
  }

  /** Returns this description if its parts fit together. */
  Signing checked() {
    is.check();
    return this;
  }

  void verify(Delivery delivery, Freshness freshness) {
    String time = is.check.isPresent() ? check(delivery, is.check.get()) : verify(delivery);
    is.timestamp.ifPresent(it -> freshness.check(it.of(delivery, time), is.format));
  }

  private String check(Delivery delivery, SignatureCheck check) {
    if (!check.isGenuine(delivery)) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    return timeOf(delivery);
  }

  /** Verifies the signature, and returns the time that was sent outside of the body. */
  private String verify(Delivery delivery) {
    if (is.keys.isEmpty()) {
      return "";
    }
    List<String> given = signatures(delivery).signatures(is.prefix);
    String time = timeOf(delivery);
    if (given.isEmpty()
        || !is.keys.get().verify(given, is.encoding, is.signedContent().of(delivery, time))) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    return time;
  }

  private SignatureHeader signatures(Delivery delivery) {
    return SignatureHeader.read(delivery, is.header, is.separator);
  }

  private String timeOf(Delivery delivery) {
    return is.timestamp.map(it -> it.beforeBody(delivery, () -> signatures(delivery))).orElse("");
  }

  /**
   * Returns the id of verified deliveries that have none: a digest of what is signed. Any signature
   * of it is as good as another, and a form that is signed may be split into fields in several
   * ways.
   */
  FieldSource digest() {
    return (delivery, json) -> Optional.of(digest(delivery));
  }

  private String digest(Delivery delivery) {
    if (is.keys.isEmpty()) {
      return StrictJson.fingerprint(FormFields.asJson(delivery).body()).digest();
    }
    String signed = sha256(is.signedContent().of(delivery, timeOf(delivery)));
    return FormFields.isForm(delivery)
        ? StrictJson.digest(signed)
        : StrictJson.fingerprint(delivery.body(), signed).digest();
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  static String name(String header) {
    if (!header.matches("[A-Za-z0-9-]{1,64}")) {
      throw new IllegalArgumentException(
          "header must have 1 to 64 letters, digits and -, got " + header);
    }
    return header.toLowerCase(Locale.ROOT);
  }

  /** Returns the keys if there are neither none nor too many. */
  static List<String> keys(List<String> texts) {
    if (texts.isEmpty()) {
      throw new IllegalArgumentException("there must be 1 secret or more, got 0");
    }
    Limits.range("number of keys", texts.size(), 1, MAX_KEYS);
    return texts;
  }

  private Signing with(Consumer<SigningSettings> change) {
    SigningSettings settings = new SigningSettings(is);
    change.accept(settings);
    return new Signing(settings);
  }

  @Override
  public String toString() {
    return "Signing[" + (isNone() ? "none" : is.header.isEmpty() ? "checked" : is.header) + "]";
  }
}
