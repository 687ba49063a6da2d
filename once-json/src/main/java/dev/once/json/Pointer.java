package dev.once.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A JSON Pointer (RFC 6901), prepared for comparison with canonical names and array indexes. */
final class Pointer {
  private static final int NO_INDEX = -1;
  private static final int MAX_INDEX_DIGITS = 9;

  private final List<byte[]> names = new ArrayList<>();
  private final List<Integer> indexes = new ArrayList<>();

  private Pointer(String[] tokens) {
    for (String token : tokens) {
      // In this order, or ~01 would become / and not ~1.
      String name = token.replace("~1", "/").replace("~0", "~");
      names.add(Escapes.quote(name));
      indexes.add(indexOf(token));
    }
  }

  static Pointer parse(String pointer) {
    if (!pointer.startsWith("/")) {
      throw new IllegalArgumentException(
          "pointer must start with / and so point below the root, got \"" + pointer + "\"");
    }
    if (pointer.matches("(?s).*~(?![01]).*")) {
      throw new IllegalArgumentException(
          "~ in a pointer must be written ~0, and / in a name ~1, got " + pointer);
    }
    return new Pointer(pointer.substring(1).split("/", -1));
  }

  /** Returns whether the token at {@code depth} is the quoted name in {@code text}. */
  boolean hasName(int depth, byte[] text, int start, int end) {
    byte[] name = names.get(depth);
    return Arrays.equals(text, start, end, name, 0, name.length);
  }

  boolean hasIndex(int depth, int index) {
    return indexes.get(depth) == index;
  }

  boolean endsAt(int depth) {
    return depth == names.size() - 1;
  }

  private static int indexOf(String token) {
    boolean isIndex = token.matches("0|[1-9][0-9]*") && token.length() <= MAX_INDEX_DIGITS;
    return isIndex ? Integer.parseInt(token) : NO_INDEX;
  }
}
