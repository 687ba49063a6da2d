package dev.once.inbox;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Where a provider puts the time at which it signed. */
sealed interface TimestampSource {
  /** A header of its own. */
  record Header(String name) implements TimestampSource {}

  /** An element of the signature's header, such as {@code t=}. */
  record Element(String prefix) implements TimestampSource {}

  /** A field of the body, which is read only after the body has been verified. */
  record Body(FieldSource field) implements TimestampSource {}

  /** Returns the time as it was sent outside of the body; empty if there is none. */
  default String beforeBody(Delivery delivery, Supplier<SignatureHeader> signatures) {
    if (this instanceof Header it) {
      return SignatureHeader.bounded(delivery, it.name()).orElse("");
    }
    if (this instanceof Element it) {
      List<String> times = signatures.get().elements(it.prefix());
      if (times.size() != 1) { // With two timestamps, it is unknown which one was signed.
        throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
      }
      return times.get(0);
    }
    return "";
  }

  /** Returns the time of a verified delivery, which {@link #beforeBody} may have read. */
  default String of(Delivery verified, String beforeBody) {
    if (this instanceof Body it) {
      Delivery json = FormFields.asJson(verified);
      Optional<String> text = it.field().in(json, StrictJson.parse(json.body()));
      return text.orElse("");
    }
    return beforeBody;
  }
}
