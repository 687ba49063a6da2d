package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where the members of all open objects lie in the text written so far: those of an inner object on
 * top of those of the outer ones. Sorting an object moves these places first and the bytes once.
 */
final class Members {
  // Four ints per member: where it starts, where its name ends, where it ends, where it came from.
  private static final int STRIDE = 4;
  private static final int NAME_END = 1;
  private static final int END = 2;
  private static final int SOURCE = 3;
  private static final int DROPPED = -1;
  private static final int FIRST_MEMBERS = 64;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private int[] places = new int[FIRST_MEMBERS * STRIDE];
  private long[] prefixes = new long[FIRST_MEMBERS];
  private int[] order = new int[FIRST_MEMBERS];
  private int[] spare = new int[FIRST_MEMBERS];
  private byte[] moved = new byte[0];
  private int size;
  private int ordered;
  private boolean escapes;

  int size() {
    return size;
  }

  /** Adds a member whose name, quotes included, has just been written. */
  void add(byte[] text, int start, int nameEnd, int source, boolean escaped) {
    int at = size * STRIDE;
    if (at == places.length) {
      places = Arrays.copyOf(places, at * 2);
      prefixes = Arrays.copyOf(prefixes, size * 2);
    }
    prefixes[size] = NameOrder.prefix(text, start + 1, nameEnd - 1);
    places[at] = start;
    places[at + NAME_END] = nameEnd;
    places[at + SOURCE] = source;
    escapes |= escaped;
    size++;
  }

  /** Notes that the newest member of the innermost object is complete. */
  void end(int end) {
    places[(size - 1) * STRIDE + END] = end;
  }

  /** Notes that the newest member of the innermost object is to be left out. */
  void drop() {
    end(DROPPED);
  }

  /** Compares the newest member with the one before it. */
  int compareLastTwo(byte[] text) {
    return compare(text, size - 2, size - 1);
  }

  /** Forgets the members from {@code first} on: their object is complete. */
  void forget(int first) {
    size = first;
    if (first == 0) {
      escapes = false;
    }
  }

  /** Forgets everything, and the memory too if it has grown beyond {@code maxKept} bytes. */
  void clear(int maxKept) {
    forget(0);
    if (places.length * Integer.BYTES > maxKept || moved.length > maxKept) {
      places = new int[FIRST_MEMBERS * STRIDE];
      prefixes = new long[FIRST_MEMBERS];
      order = new int[FIRST_MEMBERS];
      ordered = 0;
      spare = new int[FIRST_MEMBERS];
      moved = new byte[0];
    }
  }

  /**
   * Finds the order of the members from {@code first} on, and refuses a name that is there twice.
   */
  void sort(Cursor c, int first) {
    int count = size - first;
    if (order.length < count) {
      order = new int[places.length / STRIDE];
      ordered = 0;
      spare = new int[places.length / STRIDE];
    }
    // Objects in an array mostly look alike: try the order of the one before.
    if (count != ordered || !isOrdered(c, first)) {
      for (int i = 0; i < count; i++) {
        order[i] = i;
      }
      MergeSort.sort(order, spare, count, (a, b) -> distinguish(c, first + a, first + b));
      ordered = count;
    }
  }

  private boolean isOrdered(Cursor c, int first) {
    for (int i = 1; i < ordered; i++) {
      if (compare(c.out, first + order[i - 1], first + order[i]) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Compares two members. Every sort compares neighbours, so no two of one name get past this. */
  private int distinguish(Cursor c, int one, int other) {
    int comparison = compare(c.out, one, other);
    if (comparison == 0) {
      throw c.refuse(Reason.DUPLICATE_NAME, places[Math.max(one, other) * STRIDE + SOURCE]);
    }
    return comparison;
  }

  /** Moves the sorted members from {@code first} on to their places, without those dropped. */
  void rewrite(Cursor c, int first) {
    int start = places[first * STRIDE];
    int needed = c.length - start + Cursor.SLACK;
    if (moved.length < needed) {
      moved = new byte[Math.max(needed, moved.length * 2)];
    }
    int length = 0;
    for (int i = 0; i < size - first; i++) {
      int at = (first + order[i]) * STRIDE;
      if (places[at + END] != DROPPED) {
        int bytes = places[at + END] - places[at];
        copy(c.out, places[at], moved, length, bytes);
        length += bytes;
        moved[length++] = ',';
      }
    }
    length = Math.max(0, length - 1); // without the last comma
    System.arraycopy(moved, 0, c.out, start, length);
    c.length = start + length;
  }

  /** Copies a member; a short one in whole longs, as what follows it is overwritten anyway. */
  private static void copy(byte[] from, int start, byte[] to, int at, int length) {
    if (length > 4 * Long.BYTES) {
      System.arraycopy(from, start, to, at, length);
      return;
    }
    copyLong(from, start, to, at);
    copyLong(from, start + Long.BYTES, to, at + Long.BYTES);
    if (length > 2 * Long.BYTES) {
      copyLong(from, start + 2 * Long.BYTES, to, at + 2 * Long.BYTES);
      copyLong(from, start + 3 * Long.BYTES, to, at + 3 * Long.BYTES);
    }
  }

  private static void copyLong(byte[] from, int start, byte[] to, int at) {
    LONG.set(to, at, (long) LONG.get(from, start));
  }

  private int compare(byte[] text, int one, int other) {
    long x = prefixes[one];
    long y = prefixes[other];
    return x != y && !escapes ? Long.compare(x, y) : compareNames(text, one, other);
  }

  private int compareNames(byte[] text, int one, int other) {
    int a = one * STRIDE;
    int b = other * STRIDE;
    int aStart = places[a] + 1;
    int bStart = places[b] + 1;
    int aEnd = places[a + NAME_END] - 1;
    int bEnd = places[b + NAME_END] - 1;
    return escapes
        ? NameOrder.compareEscaped(text, aStart, aEnd, bStart, bEnd)
        : NameOrder.comparePlain(text, aStart, aEnd, bStart, bEnd);
  }
}
