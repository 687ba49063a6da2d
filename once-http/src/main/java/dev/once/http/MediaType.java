package dev.once.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads media types. */
final class MediaType {
  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);

  private MediaType() {}

  /** Returns the media type of a Content-Type header: without its parameters, in lower case. */
  static String of(String contentType) {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  /** Returns the media type and the charset, which JSON need not name: without one it is UTF-8. */
  static String withCharset(String contentType) {
    String type = of(contentType);
    Matcher named = CHARSET.matcher(contentType);
    String charset = named.find() ? named.group(1).toLowerCase(Locale.ROOT) : "";
    boolean isDefault = charset.isEmpty() || (isJson(type) && charset.equals("utf-8"));
    return isDefault ? type : type + ";charset=" + charset;
  }

  static boolean isText(String mediaType) {
    return mediaType.startsWith("text/")
        || mediaType.equals("application/xml")
        || mediaType.endsWith("+xml");
  }

  static boolean isJson(String mediaType) {
    return mediaType.equals("application/json") || mediaType.endsWith("+json");
  }
}
