package dev.once.json;

/**
 * Decides, value by value, what is changed on the way through. What a value has to do with the edit
 * is told by a mark: the root has one, and each other value's follows from its parent's and from
 * its name or index.
 */
abstract class Edits {
  /** The mark of a value that is kept, though something inside it may have a mark again. */
  static final long UNTOUCHED = 0;

  /** The mark of a value to be left out or replaced once it has been read and found valid. */
  static final long WHOLE = -1;

  /** Whether nothing is ever changed, so nothing has to be asked. */
  abstract boolean isEmpty();

  abstract long root();

  /**
   * Marks a member of an object that has {@code depth} others around it; {@code text} from {@code
   * start} to {@code end} is the member's name with quotes.
   */
  abstract long member(long parent, int depth, byte[] text, int start, int end);

  /** Marks an element of an array that has {@code depth} arrays and objects around it. */
  abstract long element(long parent, int depth, int index);

  /** Edits a string or number that is not marked as whole and starts at {@code start}. */
  abstract void scalar(long mark, Cursor c, int start);

  /** Replaces a value marked as whole; false if it is to be left out together with its name. */
  abstract boolean replace(Cursor c, int start);
}
