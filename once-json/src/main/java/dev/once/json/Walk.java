package dev.once.json;

import dev.once.json.JsonRefusedException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads one document after another and writes each in canonical form, or edited.
 *
 * <p>There is no tree and no recursion. Tokens are checked and copied to one growing text as they
 * are read; open arrays and objects are frames on a stack of limited height. When an object closes
 * and its members were not in order, their bytes are moved once. A value is always read to its end
 * before an edit replaces or omits it, so removed values are valid too.
 *
 * <p>An instance serves one thread at a time, and cannot be used after an exception.
 */
final class Walk {
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final Edits NO_EDITS = new Omissions();
  private static final int FIRST_FRAMES = 16;

  final Cursor cursor = new Cursor();
  private final Members members = new Members();
  private Frame[] frames = new Frame[FIRST_FRAMES];
  private int depth;
  private JsonLimits limits = JsonLimits.DEFAULTS;
  private Edits edits = NO_EDITS;
  private boolean hasEdits;
  private boolean canonical;

  /** An array or object that is still open. */
  private static final class Frame {
    boolean isObject;
    boolean hasDropped;
    int start;
    int count;
    int firstMember;
    long mark;
  }

  /** Writes the cursor's document sorted and with canonical numbers. */
  void canonical(JsonLimits within, Edits with) {
    canonical = true;
    document(within, with);
  }

  /** Writes the cursor's document in its own order, with its own spelling of numbers. */
  void edit(JsonLimits within, Edits with) {
    canonical = false;
    document(within, with);
  }

  /** Prepares for the next call; keeps at most {@code maxKept} bytes in each buffer. */
  void clear(int maxKept) {
    cursor.clear(maxKept);
    members.clear(maxKept);
  }

  private void document(JsonLimits within, Edits with) {
    limits = within;
    edits = with;
    hasEdits = !with.isEmpty();
    refuseOtherEncodings();
    if (cursor.atEnd()) {
      throw cursor.refuse(Reason.EMPTY);
    }
    value(edits.root());
    while (depth > 0) {
      step(frames[depth - 1]);
    }
    if (!cursor.atEnd()) {
      throw cursor.refuse(Reason.TRAILING_CONTENT);
    }
  }

  /**
   * Refuses UTF-16 and UTF-32: there, any JSON has a zero in the first two bytes, or a byte order
   * mark.
   */
  private void refuseOtherEncodings() {
    int first = cursor.pos < cursor.end ? cursor.in[cursor.pos] : ' ';
    int second = cursor.pos + 1 < cursor.end ? cursor.in[cursor.pos + 1] : ' ';
    if (first <= 0 || second == 0) {
      throw cursor.refuse(Reason.NOT_UTF8);
    }
  }

  /** Reads one more member or element, or the end, of the innermost open frame. */
  private void step(Frame frame) {
    int b = cursor.next();
    if (b == (frame.isObject ? '}' : ']')) {
      cursor.pos++;
      close(frame);
      return;
    }
    if (frame.count > 0) {
      if (b != ',') {
        throw cursor.refuse(Reason.SYNTAX);
      }
      cursor.pos++;
      // If all earlier values were omitted, only the bracket precedes this one.
      if (cursor.length > frame.start + 1) {
        cursor.write(',');
      }
      b = cursor.next();
    }
    frame.count++;
    if (frame.isObject) {
      member(frame, b);
    } else {
      boolean marks = hasEdits && frame.mark != Edits.WHOLE;
      value(marks ? edits.element(frame.mark, depth - 1, frame.count - 1) : Edits.UNTOUCHED);
    }
  }

  private void member(Frame frame, int b) {
    if (b != '"') {
      throw cursor.refuse(Reason.SYNTAX);
    }
    int start = cursor.length;
    int source = cursor.pos;
    boolean escaped = Strings.copy(cursor);
    int nameEnd = cursor.length;
    members.add(start, nameEnd, source, escaped);
    if (cursor.next() != ':') {
      throw cursor.refuse(Reason.SYNTAX);
    }
    cursor.pos++;
    cursor.write(':');
    boolean marks = hasEdits && frame.mark != Edits.WHOLE;
    value(
        marks ? edits.member(frame.mark, depth - 1, cursor.out, start, nameEnd) : Edits.UNTOUCHED);
  }

  private void value(long mark) {
    int start = cursor.length;
    int b = cursor.next();
    switch (b) {
      case '{', '[' -> {
        open(b, start, mark);
        return;
      }
      case '"' -> Strings.copy(cursor);
      case 't' -> word(TRUE);
      case 'f' -> word(FALSE);
      case 'n' -> word(NULL);
      default -> number(b);
    }
    if (mark == Edits.WHOLE
        || (mark == Edits.TIME && Times.isTime(cursor.out, start, cursor.length))) {
      replace(start);
    } else if (!canonical) {
      edits.scalar(mark, cursor, start);
    }
  }

  private void number(int b) {
    if (b != '-' && (b < '0' || b > '9')) {
      throw cursor.refuse(Reason.SYNTAX);
    }
    if (canonical) {
      Numbers.copy(cursor, limits);
    } else {
      Numbers.copySpelling(cursor, limits);
    }
  }

  private void word(byte[] word) {
    for (byte b : word) {
      if (cursor.pos == cursor.end || cursor.in[cursor.pos] != b) {
        throw cursor.refuse(cursor.pos == cursor.end ? Reason.TRUNCATED : Reason.SYNTAX);
      }
      cursor.write(b);
      cursor.pos++;
    }
  }

  private void open(int bracket, int start, long mark) {
    if (depth == limits.maxDepth()) {
      throw cursor.refuse(Reason.TOO_DEEP);
    }
    if (depth == frames.length) {
      frames = Arrays.copyOf(frames, depth * 2);
    }
    if (frames[depth] == null) {
      frames[depth] = new Frame();
    }
    Frame frame = frames[depth++];
    frame.isObject = bracket == '{';
    frame.hasDropped = false;
    frame.start = start;
    frame.count = 0;
    frame.firstMember = members.size();
    frame.mark = mark == Edits.TIME ? Edits.UNTOUCHED : mark;
    cursor.pos++;
    cursor.write(bracket);
  }

  private void close(Frame frame) {
    if (frame.isObject) {
      boolean moves = members.sort(cursor, frame.firstMember, depth);
      if (canonical && (moves || frame.hasDropped)) {
        members.rewrite(cursor, frame.firstMember);
      }
      members.forget(frame.firstMember);
    }
    cursor.write(frame.isObject ? '}' : ']');
    depth--;
    if (frame.mark == Edits.WHOLE) {
      replace(frame.start);
    }
  }

  /** Replaces a value that has been read to its end, or omits it from the frame around it. */
  private void replace(int start) {
    if (edits.replace(cursor, start) || depth == 0) {
      return;
    }
    Frame frame = frames[depth - 1];
    if (frame.isObject) {
      members.drop();
      frame.hasDropped = true;
    } else {
      // The comma before it is removed too; only the first element has a bracket there.
      cursor.length = Math.max(start - 1, frame.start + 1);
    }
  }
}
