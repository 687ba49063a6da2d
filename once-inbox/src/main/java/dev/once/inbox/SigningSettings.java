package dev.once.inbox;

import java.util.Optional;

/** The settings of a {@link Signing} under construction; not changed once it has them. */
final class SigningSettings {
  private static final SignedContent BODY = SignatureTemplate.of("{body}");
  private static final SignedContent AFTER_TIME = SignatureTemplate.of("{timestamp}.{body}");

  String header = "";
  Optional<SignatureKeys> keys = Optional.empty();
  Optional<SignatureCheck> check = Optional.empty();
  SignatureEncoding encoding = SignatureEncoding.HEX;
  String prefix = "";
  Optional<String> separator = Optional.empty();
  Optional<TimestampSource> timestamp = Optional.empty();
  TimestampFormat format = TimestampFormat.UNIX_SECONDS;
  Optional<SignedContent> content = Optional.empty();

  SigningSettings() {}

  SigningSettings(SigningSettings other) {
    this.header = other.header;
    this.keys = other.keys;
    this.check = other.check;
    this.encoding = other.encoding;
    this.prefix = other.prefix;
    this.separator = other.separator;
    this.timestamp = other.timestamp;
    this.format = other.format;
    this.content = other.content;
  }

  /**
   * Returns what is signed: unless declared, the body after the time that is sent outside of it.
   */
  SignedContent signedContent() {
    return content.orElse(hasTimeOutsideBody() ? AFTER_TIME : BODY);
  }

  /** Refuses rules that would leave the time unsigned, or sign a time that nothing sends. */
  void check() {
    if (content.orElse(null) instanceof SignatureTemplate template) {
      boolean isOutside = hasTimeOutsideBody();
      if (isOutside != template.hasTimestamp()) {
        throw new IllegalArgumentException(
            isOutside
                ? "signed content must have {timestamp}, or any client can change the time"
                : "signed content must not have {timestamp} unless a header has the time");
      }
    }
  }

  private boolean hasTimeOutsideBody() {
    return timestamp.isPresent() && !(timestamp.get() instanceof TimestampSource.Body);
  }
}
