package dev.once.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what came back on a connection as answers of HTTP/1.1, strictly. */
final class RawAnswers {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 ([1-5]\\d\\d)( [ -~]*)?");
  private static final Pattern FIELD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~]*");
  private static final String CUT_OFF = "[reset]";

  private final String bytes;
  private int at;

  private RawAnswers(String bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the statuses of all answers; an answer may be cut off by a reset, but not be malformed.
   */
  static List<Integer> statuses(String bytes) {
    RawAnswers answers =
        new RawAnswers(
            bytes.endsWith(CUT_OFF)
                ? bytes.substring(0, bytes.length() - CUT_OFF.length())
                : bytes);
    List<Integer> statuses = new ArrayList<>();
    while (answers.at < answers.bytes.length()) {
      int status = answers.next();
      if (status < 0) {
        if (bytes.endsWith(CUT_OFF)) {
          return statuses;
        }
        throw new AssertionError("half an answer in " + bytes);
      }
      statuses.add(status);
    }
    return statuses;
  }

  /** Reads one answer; returns its status, or -1 if it is not whole. */
  private int next() {
    int end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) {
      return -1;
    }
    String[] lines = bytes.substring(at, end).split("\r\n", -1);
    Matcher status = STATUS.matcher(lines[0]);
    if (!status.matches()) {
      throw new AssertionError("not a status line: " + lines[0]);
    }
    at = end + 4;
    int code = Integer.parseInt(status.group(1));
    boolean isRead = code < 200 || code == 204 || code == 304;
    for (int i = 1; i < lines.length; i++) {
      if (!FIELD.matcher(lines[i]).matches()) {
        throw new AssertionError("not a header: " + lines[i]);
      }
      String line = lines[i].toLowerCase(Locale.ROOT);
      if (line.startsWith("content-length:") && !isRead) {
        isRead = true;
        at += Integer.parseInt(line.substring(15).strip());
      } else if (line.equals("transfer-encoding: chunked")) {
        isRead = true;
        int last = bytes.indexOf("0\r\n\r\n", at);
        at = last < 0 ? Integer.MAX_VALUE : last + 5;
      }
    }
    if (!isRead) { // Until the connection is closed.
      at = bytes.length();
    }
    return at > bytes.length() ? -1 : code;
  }
}
