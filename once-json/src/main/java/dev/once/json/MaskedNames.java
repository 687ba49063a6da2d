package dev.once.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The member names of one document that have to be masked. Their positions are recorded, and they
 * are replaced after the whole document has been read, because until then they distinguish members.
 *
 * <p>Two phone numbers may have the same mask. All but the first in the document get a counter,
 * {@code +*********67~2}; the same name has the same mask everywhere.
 */
final class MaskedNames {
  private static final int FIRST_PLACES = 16;

  // Two ints per name: where its text starts and ends, quotes excluded.
  private int[] places = new int[0];
  private int size;
  private final Map<String, String> masks = new HashMap<>();
  private final Map<String, Integer> counters = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * Records a name that contains a phone number, or an asterisk and so may equal the mask of
   * another.
   */
  void add(int start, int end) {
    if (size == places.length) {
      places = Arrays.copyOf(places, Math.max(FIRST_PLACES, size * 2));
    }
    places[size++] = start;
    places[size++] = end;
  }

  /** Removes the names from {@code start} on: they were inside a value that has been replaced. */
  void forget(int start) {
    while (size > 0 && places[size - 2] >= start) {
      size -= 2;
    }
  }

  /** Returns the first {@code length} bytes of {@code text} with all recorded names masked. */
  byte[] applyTo(byte[] text, int length) {
    if (size == 0) {
      return Arrays.copyOf(text, length);
    }
    for (int i = 0; i < size; i += 2) {
      String name = name(text, i);
      if (mask(name).equals(name)) {
        taken.add(name);
      }
    }
    ByteArrayOutputStream result = new ByteArrayOutputStream(length + size);
    int copied = 0;
    for (int i = 0; i < size; i += 2) {
      result.write(text, copied, places[i] - copied);
      result.writeBytes(unique(name(text, i)).getBytes(StandardCharsets.UTF_8));
      copied = places[i + 1];
    }
    result.write(text, copied, length - copied);
    return result.toByteArray();
  }

  private String name(byte[] text, int place) {
    int start = places[place];
    return new String(text, start, places[place + 1] - start, StandardCharsets.UTF_8);
  }

  private String unique(String name) {
    return masks.computeIfAbsent(name, this::firstFree);
  }

  private String firstFree(String name) {
    String mask = mask(name);
    String free = mask;
    while (!mask.equals(name) && !taken.add(free)) {
      free = mask + "~" + counters.merge(mask, 2, (count, two) -> count + 1);
    }
    return free;
  }

  private static String mask(String name) {
    return JsonText.edit(name, PhoneMask::mask);
  }
}
