package dev.once.inbox;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The elements of the header that has the signatures. Its length and the number of signatures are
 * limited: each signature costs a verification, and the sender is not known yet.
 */
record SignatureHeader(List<String> elements) {
  /** Reads a header; a delivery without it, or with an empty one, is refused. */
  static SignatureHeader read(Delivery delivery, String name, Optional<String> separator) {
    String value =
        bounded(delivery, name)
            .filter(it -> !it.isEmpty())
            .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.SIGNATURE_MISSING));
    return new SignatureHeader(
        separator
            .map(it -> Stream.of(value.split(Pattern.quote(it), -1)).map(String::strip).toList())
            .orElse(List.of(value)));
  }

  /** Returns the value of a header, which is refused if it is longer than any honest one. */
  static Optional<String> bounded(Delivery delivery, String name) {
    Optional<String> value = delivery.header(name);
    if (value.isPresent() && value.get().length() > Signing.MAX_HEADER_CHARS) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    return value;
  }

  /** Returns the rest of the elements that start with this prefix. */
  List<String> elements(String prefix) {
    return elements.stream()
        .filter(it -> it.startsWith(prefix))
        .map(it -> it.substring(prefix.length()))
        .toList();
  }

  /** Returns the signatures; others are passed over, and too many are refused. */
  List<String> signatures(String prefix) {
    List<String> found = elements(prefix);
    if (found.size() > Signing.MAX_SIGNATURES) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    return found;
  }
}
