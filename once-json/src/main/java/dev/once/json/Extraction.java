package dev.once.json;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Copies the value at one pointer while a document is read. */
final class Extraction extends Edits {
  private final Omissions at;
  private byte @Nullable [] value;

  Extraction(String pointer) {
    this.at = new Omissions().andAt(pointer);
  }

  /** Returns the value after the document was read; null if it has none at the pointer. */
  byte @Nullable [] value() {
    return value;
  }

  @Override
  boolean isEmpty() {
    return false;
  }

  @Override
  long root() {
    return at.root();
  }

  @Override
  long member(long parent, int depth, byte[] text, int start, int end) {
    return at.member(parent, depth, text, start, end);
  }

  @Override
  long element(long parent, int depth, int index) {
    return at.element(parent, depth, index);
  }

  @Override
  void scalar(long mark, Cursor c, int start) {}

  @Override
  boolean replace(Cursor c, int start) {
    value = Arrays.copyOfRange(c.out, start, c.length);
    return true;
  }
}
