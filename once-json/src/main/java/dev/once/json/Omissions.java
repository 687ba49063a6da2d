package dev.once.json;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Omits members with given names at any depth, all of them or only times, and the values at given
 * pointers. A mark has one bit for each pointer that continues below the value.
 */
final class Omissions extends Edits {
  // WHOLE has all bits set, and TIME the highest one: no mark of pointers has that one.
  private static final int MAX_POINTERS = Long.SIZE - 2;
  private static final int MAX_NAMES = 64;

  private final List<Pointer> pointers;
  private final byte[][] names;
  private final byte[][] times;

  Omissions() {
    this(List.of(), new byte[0][], new byte[0][]);
  }

  private Omissions(List<Pointer> pointers, byte[][] names, byte[][] times) {
    check("pointers", pointers.size(), MAX_POINTERS);
    check("names", names.length + times.length, MAX_NAMES);
    this.pointers = pointers;
    this.names = names;
    this.times = times;
  }

  Omissions andAt(String pointer) {
    Stream<Pointer> all = Stream.concat(pointers.stream(), Stream.of(Pointer.parse(pointer)));
    return new Omissions(all.toList(), names, times);
  }

  Omissions andNamed(String name) {
    return new Omissions(pointers, and(names, name), times);
  }

  Omissions andTimesNamed(String name) {
    return new Omissions(pointers, names, and(times, name));
  }

  private static byte[][] and(byte[][] names, String name) {
    byte[][] all = Arrays.copyOf(names, names.length + 1);
    all[names.length] = Escapes.quote(name);
    return all;
  }

  boolean hasTimes() {
    return times.length > 0;
  }

  @Override
  boolean isEmpty() {
    return pointers.isEmpty() && names.length == 0 && times.length == 0;
  }

  @Override
  long root() {
    return (1L << pointers.size()) - 1;
  }

  @Override
  long member(long parent, int depth, byte[] text, int start, int end) {
    if (isAmong(names, text, start, end)) {
      return WHOLE;
    }
    long mark = UNTOUCHED;
    for (long rest = parent; rest != 0; rest &= rest - 1) {
      int at = Long.numberOfTrailingZeros(rest);
      if (pointers.get(at).hasName(depth, text, start, end)) {
        mark = follow(mark, at, depth);
      }
    }
    return mark == UNTOUCHED && isAmong(times, text, start, end) ? TIME : mark;
  }

  private static boolean isAmong(byte[][] names, byte[] text, int start, int end) {
    for (byte[] name : names) {
      if (Arrays.equals(text, start, end, name, 0, name.length)) {
        return true;
      }
    }
    return false;
  }

  @Override
  long element(long parent, int depth, int index) {
    long mark = UNTOUCHED;
    for (long rest = parent; rest != 0; rest &= rest - 1) {
      int at = Long.numberOfTrailingZeros(rest);
      if (pointers.get(at).hasIndex(depth, index)) {
        mark = follow(mark, at, depth);
      }
    }
    return mark;
  }

  private long follow(long mark, int pointer, int depth) {
    return pointers.get(pointer).endsAt(depth) ? WHOLE : mark | 1L << pointer;
  }

  @Override
  void scalar(long mark, Cursor c, int start) {}

  @Override
  boolean replace(Cursor c, int start) {
    return false;
  }

  private static void check(String what, int count, int max) {
    if (count > max) {
      throw new IllegalArgumentException(
          "at most " + max + " " + what + " can be left out, got " + count);
    }
  }
}
