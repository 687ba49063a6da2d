package dev.once.inbox;

import dev.once.Headers;
import dev.once.jobs.Job;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * An item as the payload of a job: one header per line, an empty line, and its JSON as it was
 * received.
 */
final class Envelope {
  /** The data that fits into a job together with the longest headers. */
  static final int MAX_DATA_BYTES = Job.MAX_PAYLOAD_BYTES - (8 << 10);

  private Envelope() {}

  static byte[] of(Item item) {
    Headers head =
        Headers.NONE
            .with("type", item.type())
            .with("id", item.id())
            .with("account", item.account());
    if (item.signedKey().isPresent()) {
      head = head.with("key", item.signedKey().get());
    }
    if (item.rank().isPresent()) {
      head =
          head.with("height", String.valueOf(item.rank().get().height()))
              .with("object", item.rank().get().object());
    }
    return of(head, item.data());
  }

  private static byte[] of(Headers head, byte[] data) {
    byte[] text = (head.toText() + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] envelope = Arrays.copyOf(text, text.length + data.length);
    System.arraycopy(data, 0, envelope, text.length, data.length);
    return envelope;
  }

  static Headers headOf(byte[] envelope) {
    return Headers.parse(new String(envelope, 0, borderOf(envelope) - 1, StandardCharsets.UTF_8));
  }

  static byte[] dataOf(byte[] envelope) {
    return Arrays.copyOfRange(envelope, borderOf(envelope), envelope.length);
  }

  static Optional<Item.Rank> rankOf(Headers head) {
    return head.first("height")
        .map(it -> new Item.Rank(head.first("object").orElse(""), Integer.parseInt(it)));
  }

  /** Returns where the data begins: headers contain no empty line. */
  private static int borderOf(byte[] envelope) {
    for (int i = 1; i < envelope.length; i++) {
      if (envelope[i] == '\n' && envelope[i - 1] == '\n') {
        return i + 1;
      }
    }
    throw new IllegalStateException("a job of the inbox has no empty line before its data");
  }
}
