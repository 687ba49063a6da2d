package dev.once.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/** Request bodies as an order service receives them, of an exact size and the same in every run. */
final class Bodies {
  private static final String HEAD =
      "{\"orderId\":\"ord_8f14e45f\",\"currency\":\"EUR\",\"customer\":{\"name\":\"Zoë O\\u2019Neil\","
          + "\"email\":\"zoe@example.com\",\"address\":{\"street\":\"Hauptstraße 5\",\"city\":"
          + "\"Köln\",\"postcode\":\"50667\",\"country\":\"DE\"}},\"express\":true,\"coupon\":null,"
          + "\"items\":[";

  private static final String TAIL = "],\"note\":\"";
  private static final String END = "\"}";

  private Bodies() {}

  /** Returns an order with as many items as fit; its note fills the remaining bytes. */
  static byte[] order(int bytes) {
    Random random = new Random(bytes);
    StringBuilder json = new StringBuilder(HEAD);
    String item = item(random);
    for (int i = 0; size(json + item + TAIL + END) + 1 <= bytes; i++) {
      json.append(i == 0 ? "" : ",").append(item);
      item = item(random);
    }
    json.append(TAIL);
    json.append("n".repeat(bytes - size(json + END)));
    return json.append(END).toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String item(Random random) {
    return String.format(
        Locale.ROOT,
        "{\"sku\":\"SKU-%06d\",\"title\":\"Cable \\\"%d m\\\", black\",\"quantity\":%d,"
            + "\"price\":%d.%02d,\"weightKg\":%s,\"tags\":[\"new\",\"line\\nbreak\"],\"gift\":%b}",
        random.nextInt(1_000_000),
        1 + random.nextInt(20),
        1 + random.nextInt(9),
        random.nextInt(500),
        random.nextInt(100),
        random.nextInt(10_000) / 1000.0,
        random.nextBoolean());
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
