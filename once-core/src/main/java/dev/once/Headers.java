package dev.once;

import dev.once.internal.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A short list of names and values, in order: an outcome's headers or an operation's correlation
 * ids. Immutable.
 */
public record Headers(List<Header> list) {
  public static final Headers NONE = new Headers(List.of());
  public static final int MAX_HEADERS = 64;

  /** All names and values together. Common servers take 8 to 16 KiB of headers. */
  public static final int MAX_CHARS = 16 * 1024;

  public Headers {
    list = List.copyOf(list);
    Limits.range("number of headers", list.size(), 0, MAX_HEADERS);
    int chars = 0;
    for (Header header : list) {
      chars += header.name.length() + header.value.length();
    }
    Limits.range("characters in headers", chars, 0, MAX_CHARS);
  }

  /**
   * One name and its value, without line breaks. Checked by loops and not by streams, because a
   * request has dozens of them.
   */
  public record Header(String name, String value) {
    public Header {
      if (!isName(name)) {
        throw new IllegalArgumentException(
            "header name must be visible ASCII without a colon, got " + name);
      }
      if (!isVisibleAscii(value)) {
        requireValue(name, value);
      }
    }

    private static boolean isName(String name) {
      return !name.isEmpty()
          && isVisibleAscii(name)
          && name.indexOf(':') < 0
          && name.indexOf(' ') < 0;
    }

    /** Returns whether all characters are visible ASCII or blanks. */
    private static boolean isVisibleAscii(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c < ' ' || c >= 0x7f) {
          return false;
        }
      }
      return true;
    }

    private static void requireValue(String name, String value) {
      if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0 || value.indexOf(0) >= 0) {
        throw new IllegalArgumentException(
            "header " + name + " must not have a line break or U+0000 in its value");
      }
      Limits.utf8Bytes("the value of header " + name, value);
    }

    /** Shows the name alone: the value may be private. */
    @Override
    public String toString() {
      return name;
    }
  }

  /** Returns these headers and one more. */
  public Headers with(String name, String value) {
    List<Header> more = new ArrayList<>(list);
    more.add(new Header(name, value));
    return new Headers(more);
  }

  /** Returns the first value under {@code name}, compared without regard to case. */
  public Optional<String> first(String name) {
    for (Header header : list) {
      if (header.name.equalsIgnoreCase(name)) {
        return Optional.of(header.value);
      }
    }
    return Optional.empty();
  }

  /** The form that stores keep: one {@code name: value} per line. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    for (Header header : list) {
      text.append(header.name).append(": ").append(header.value).append('\n');
    }
    return text.toString();
  }

  /** Reads what {@link #toText} wrote. */
  public static Headers parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    List<Header> headers = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      int colon = line.indexOf(": ");
      if (colon > 0) {
        headers.add(new Header(line.substring(0, colon), line.substring(colon + 2)));
      } else if (!line.isEmpty()) {
        throw new IllegalArgumentException("header line must read name: value");
      }
    }
    return new Headers(Collections.unmodifiableList(headers));
  }

  /** Shows names alone: values may be private. */
  @Override
  public String toString() {
    return list.toString();
  }
}
