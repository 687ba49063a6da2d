package dev.once.json;

/**
 * Decides, value by value, what is changed while a document is copied. A mark describes how an edit
 * concerns a value: the root has a mark, and the mark of each other value follows from its parent's
 * mark and from its name or index.
 */
abstract class Edits {
  /** The mark of a value that is kept, though a value inside it may have another mark. */
  static final long UNTOUCHED = 0;

  /** The mark of a value to be omitted or replaced after it has been read and found valid. */
  static final long WHOLE = -1;

  /** The mark of a value to be omitted if it is a time. No mark for values inside it. */
  static final long TIME = Long.MIN_VALUE;

  /** Returns whether this edit never changes anything, so that it need not be called. */
  abstract boolean isEmpty();

  abstract long root();

  /**
   * Returns the mark of a member of an object that has {@code depth} arrays and objects around it;
   * {@code text} from {@code start} to {@code end} is the member's name with quotes.
   */
  abstract long member(long parent, int depth, byte[] text, int start, int end);

  /**
   * Returns the mark of an element of an array that has {@code depth} arrays and objects around it.
   */
  abstract long element(long parent, int depth, int index);

  /** Edits a string or number that is not marked as whole and starts at {@code start}. */
  abstract void scalar(long mark, Cursor c, int start);

  /**
   * Replaces a value marked as whole; returns false if it is to be omitted together with its name.
   */
  abstract boolean replace(Cursor c, int start);
}
