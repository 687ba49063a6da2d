package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The positions of the members of all open objects in the text written so far: those of an inner
 * object on top of those of the outer ones. Sorting an object reorders these positions first and
 * moves the bytes once.
 */
final class Members {
  // Four ints per member: its start, the end of its name, its offset in the source, its state.
  private static final int STRIDE = 4;
  private static final int NAME_END = 1;
  private static final int SOURCE = 2;
  private static final int STATE = 3;
  private static final int KEPT = 0;
  private static final int DROPPED = 1;
  private static final int FIRST_MEMBERS = 64;
  private static final int ORDERS = 32;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private int[] places = new int[FIRST_MEMBERS * STRIDE];
  private long[] prefixes = new long[FIRST_MEMBERS];
  private int[] order = new int[0];
  private int[] spare = new int[FIRST_MEMBERS];
  private byte[] moved = new byte[0];
  private int size;
  private boolean escapes;

  // The orders found last. They outlive the document: the next one often has the same structure.
  private int[][] orders = new int[ORDERS][0];
  private boolean hasLargeOrders;

  int size() {
    return size;
  }

  /** Adds a member whose name, quotes included, has just been written. */
  void add(int start, int nameEnd, int source, boolean escaped) {
    int at = size * STRIDE;
    if (at == places.length) {
      places = Arrays.copyOf(places, at * 2);
    }
    places[at] = start;
    places[at + NAME_END] = nameEnd;
    places[at + SOURCE] = source;
    places[at + STATE] = KEPT;
    escapes |= escaped;
    size++;
  }

  /** Marks the newest member of the innermost object as omitted. */
  void drop() {
    places[(size - 1) * STRIDE + STATE] = DROPPED;
  }

  /** Removes the members from {@code first} on: their object is complete. */
  void forget(int first) {
    size = first;
    if (first == 0) {
      escapes = false;
    }
  }

  /**
   * Removes all members, and releases the memory too if it has grown beyond {@code maxKept} bytes.
   */
  void clear(int maxKept) {
    forget(0);
    if (hasLargeOrders) {
      orders = new int[ORDERS][0];
      hasLargeOrders = false;
    }
    if (places.length * Integer.BYTES > maxKept || moved.length > maxKept) {
      places = new int[FIRST_MEMBERS * STRIDE];
      prefixes = new long[FIRST_MEMBERS];
      spare = new int[FIRST_MEMBERS];
      moved = new byte[0];
    }
  }

  /**
   * Finds the order of the members from {@code first} on, and refuses a duplicate name. Returns
   * whether any member has to move.
   *
   * @param depth how many arrays and objects are open, the one of these members included
   */
  boolean sort(Cursor c, int first, int depth) {
    int count = size - first;
    readPrefixes(c, first, count);
    // Objects at one depth with equally many members mostly look alike: try the order of the last
    // one.
    int slot = (depth & 3) << 3 | (count & 7);
    order = orders[slot];
    if (order.length != count || !isOrdered(c, first)) {
      order = newOrder(c, first, count);
      orders[slot] = order;
      hasLargeOrders |= count > FIRST_MEMBERS;
    }
    return movesAny(order);
  }

  /** Reads all prefixes when the object ends, which takes less time than one after each name. */
  private void readPrefixes(Cursor c, int first, int count) {
    if (prefixes.length < count) {
      prefixes = new long[places.length / STRIDE];
      spare = new int[places.length / STRIDE];
    }
    for (int i = 0, at = first * STRIDE; i < count; i++, at += STRIDE) {
      prefixes[i] = NameOrder.prefix(c.out, places[at] + 1, places[at + NAME_END] - 1);
    }
  }

  private int[] newOrder(Cursor c, int first, int count) {
    int[] found = new int[count];
    for (int i = 0; i < count; i++) {
      found[i] = i;
    }
    MergeSort.sort(found, spare, count, (a, b) -> distinguish(c, first, a, b));
    return found;
  }

  private static boolean movesAny(int[] order) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] != i) {
        return true;
      }
    }
    return false;
  }

  private boolean isOrdered(Cursor c, int first) {
    for (int i = 1; i < order.length; i++) {
      if (compare(c.out, first, order[i - 1], order[i]) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Compares two members. Every sort compares neighbours, so it finds every duplicate name. */
  private int distinguish(Cursor c, int first, int one, int other) {
    int comparison = compare(c.out, first, one, other);
    if (comparison == 0) {
      int later = first + Math.max(one, other);
      throw c.refuse(Reason.DUPLICATE_NAME, places[later * STRIDE + SOURCE]);
    }
    return comparison;
  }

  /**
   * Moves the sorted members from {@code first} on to their positions, without the omitted ones.
   */
  void rewrite(Cursor c, int first) {
    int start = places[first * STRIDE];
    int needed = c.length - start + Cursor.SLACK;
    if (moved.length < needed) {
      moved = new byte[Math.max(needed, moved.length * 2)];
    }
    int length = 0;
    for (int i = 0; i < size - first; i++) {
      int member = first + order[i];
      int at = member * STRIDE;
      if (places[at + STATE] == KEPT) {
        int end = member + 1 < size ? places[at + STRIDE] - 1 : c.length; // without the comma
        int bytes = end - places[at];
        copy(c.out, places[at], moved, length, bytes);
        length += bytes;
        moved[length++] = ',';
      }
    }
    length = Math.max(0, length - 1); // without the last comma
    System.arraycopy(moved, 0, c.out, start, length);
    c.length = start + length;
  }

  /** Copies a member; a short one in whole longs, as the bytes after it are overwritten anyway. */
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

  /** Compares two members, both counted from {@code first} on. */
  private int compare(byte[] text, int first, int one, int other) {
    long x = prefixes[one];
    long y = prefixes[other];
    return x != y && !escapes ? Long.compare(x, y) : compareNames(text, first + one, first + other);
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
