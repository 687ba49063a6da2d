package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.http.BareItem.BooleanItem;
import dev.once.http.BareItem.BytesItem;
import dev.once.http.BareItem.DateItem;
import dev.once.http.BareItem.DecimalItem;
import dev.once.http.BareItem.DisplayStringItem;
import dev.once.http.BareItem.IntegerItem;
import dev.once.http.BareItem.StringItem;
import dev.once.http.BareItem.TokenItem;
import dev.once.http.FieldRefusedException.Reason;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.Base64;

/** Reads one bare item; its first character determines the type (RFC 9651, section 4.2.3.1). */
final class BareItemParser {
  private static final int MAX_INTEGER_DIGITS = 15;
  private static final int MAX_DIGITS_BEFORE_POINT = 12;
  private static final int MAX_DIGITS_AFTER_POINT = 3;
  private static final String LOWER_HEX = "0123456789abcdef";
  private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~:/";

  private BareItemParser() {}

  static BareItem parse(FieldReader r) {
    int first = r.peek();
    return switch (first) {
      case '"' -> string(r);
      case ':' -> bytes(r);
      case '?' -> bool(r);
      case '@' -> date(r);
      case '%' -> displayString(r);
      default -> first == '-' || isDigit(first) ? number(r) : token(r);
    };
  }

  private static StringItem string(FieldReader r) {
    StringBuilder text = new StringBuilder();
    r.expect('"');
    while (!r.skip('"')) {
      boolean escaped = r.skip('\\');
      text.append(r.expect(c -> escaped ? c == '"' || c == '\\' : isPrintable(c)));
    }
    return new StringItem(text.toString());
  }

  private static DisplayStringItem displayString(FieldReader r) {
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
    int start = r.pos();
    r.expect('%');
    r.expect('"');
    while (!r.skip('"')) {
      utf8.write(r.skip('%') ? hexDigit(r) << 4 | hexDigit(r) : r.expect(c -> isPrintable(c)));
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(utf8.toByteArray());
      return new DisplayStringItem(UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      throw r.refuse(Reason.NOT_UTF8, start);
    }
  }

  private static BytesItem bytes(FieldReader r) {
    r.expect(':');
    int start = r.pos();
    r.skipAll(c -> c != ':');
    String base64 = r.since(start);
    r.expect(':');
    try {
      // Accepts base64 without padding and with non-zero pad bits, as the RFC recommends.
      return new BytesItem(ByteBuffer.wrap(Base64.getDecoder().decode(base64)).asReadOnlyBuffer());
    } catch (IllegalArgumentException e) { // Its message can contain a character of the value.
      throw r.refuse(Reason.NOT_BASE64, start);
    }
  }

  private static BooleanItem bool(FieldReader r) {
    r.expect('?');
    return new BooleanItem(r.expect(c -> c == '0' || c == '1') == '1');
  }

  private static DateItem date(FieldReader r) {
    r.expect('@');
    int start = r.pos();
    if (number(r) instanceof IntegerItem seconds) {
      return new DateItem(Instant.ofEpochSecond(seconds.value()));
    }
    throw r.refuse(Reason.SYNTAX, start);
  }

  private static BareItem number(FieldReader r) {
    int start = r.pos();
    r.skip('-');
    int whole = digits(r);
    boolean isInteger = !r.skip('.');
    int fraction = isInteger ? 0 : digits(r);
    int maxWhole = isInteger ? MAX_INTEGER_DIGITS : MAX_DIGITS_BEFORE_POINT;
    if (whole > maxWhole || fraction > MAX_DIGITS_AFTER_POINT) {
      throw r.refuse(Reason.TOO_MANY_DIGITS, start);
    }
    String number = r.since(start);
    return isInteger
        ? new IntegerItem(Long.parseLong(number))
        : new DecimalItem(new BigDecimal(number).stripTrailingZeros());
  }

  private static int digits(FieldReader r) {
    r.expect(c -> isDigit(c));
    return 1 + r.skipAll(c -> isDigit(c));
  }

  private static TokenItem token(FieldReader r) {
    int start = r.pos();
    r.expect(c -> isLetter(c) || c == '*');
    r.skipAll(c -> isLetter(c) || isDigit(c) || TOKEN_SIGNS.indexOf(c) >= 0);
    return new TokenItem(r.since(start));
  }

  private static int hexDigit(FieldReader r) {
    return LOWER_HEX.indexOf(r.expect(c -> LOWER_HEX.indexOf(c) >= 0));
  }

  private static boolean isPrintable(int c) {
    return c >= ' ' && c < 0x7f;
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
