package dev.once.effects;

import java.util.regex.Pattern;

/** Checks headers without showing their values, which may be secrets. */
final class HttpHeaderValues {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
  private static final Pattern VALUE = Pattern.compile("[ -~]{0,8192}");

  private HttpHeaderValues() {}

  static void check(String name, String value) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a header must have 1 to 100 letters, digits or minus signs, got " + name);
    }
    if (!VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "the value of header %s must have at most 8192 characters of ASCII".formatted(name));
    }
  }
}
