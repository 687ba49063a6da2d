package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Signed content that is declared as text with placeholders, such as {@code {timestamp}.{body}}.
 */
final class SignatureTemplate implements SignedContent {
  private static final String TIMESTAMP = "timestamp";
  private static final String HEADER = "header:";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

  private final List<SignedContent> parts;
  private final boolean hasTimestamp;

  private SignatureTemplate(List<SignedContent> parts, boolean hasTimestamp) {
    this.parts = parts;
    this.hasTimestamp = hasTimestamp;
  }

  static SignatureTemplate of(String template) {
    List<SignedContent> parts = new ArrayList<>();
    Matcher placeholder = PLACEHOLDER.matcher(template);
    boolean hasTimestamp = false;
    int from = 0;
    while (placeholder.find()) {
      add(parts, template.substring(from, placeholder.start()));
      parts.add(part(placeholder.group(1)));
      hasTimestamp |= placeholder.group(1).equals(TIMESTAMP);
      from = placeholder.end();
    }
    add(parts, template.substring(from));
    return new SignatureTemplate(List.copyOf(parts), hasTimestamp);
  }

  boolean hasTimestamp() {
    return hasTimestamp;
  }

  @Override
  public byte[] of(Delivery delivery, String timestamp) {
    if (parts.size() == 1) {
      return parts.get(0).of(delivery, timestamp); // Most often the body, which is not copied.
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (SignedContent part : parts) {
      all.writeBytes(part.of(delivery, timestamp));
    }
    return all.toByteArray();
  }

  private static void add(List<SignedContent> parts, String text) {
    if (!text.isEmpty()) {
      byte[] bytes = text.getBytes(UTF_8);
      parts.add((delivery, timestamp) -> bytes);
    }
  }

  private static SignedContent part(String name) {
    if (name.startsWith(HEADER)) {
      String header = Signing.name(name.substring(HEADER.length()));
      return (delivery, timestamp) -> header(delivery, header);
    }
    return switch (name) {
      case "body" -> (delivery, timestamp) -> delivery.body();
      case TIMESTAMP -> (delivery, timestamp) -> timestamp.getBytes(UTF_8);
      case "form" -> (delivery, timestamp) -> FormFields.sorted(delivery.body()).getBytes(UTF_8);
      case "crc32" -> (delivery, timestamp) -> crc32(delivery.body());
      default ->
          throw new IllegalArgumentException(
              "signed content has {body}, {timestamp}, {header:name}, {form} and {crc32}, got {"
                  + name
                  + "}");
    };
  }

  private static byte[] header(Delivery delivery, String name) {
    return SignatureHeader.bounded(delivery, name)
        .filter(it -> !it.isEmpty())
        .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.SIGNATURE_MISSING))
        .getBytes(UTF_8);
  }

  private static byte[] crc32(byte[] body) {
    CRC32 sum = new CRC32();
    sum.update(body);
    return Long.toString(sum.getValue()).getBytes(UTF_8);
  }
}
