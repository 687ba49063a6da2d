package dev.once.http;

import java.util.Locale;

/** Reads media types. */
final class MediaType {
  private MediaType() {}

  /** Returns the media type of a Content-Type header: without its parameters, in lower case. */
  static String of(String contentType) {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  static boolean isJson(String mediaType) {
    return mediaType.equals("application/json") || mediaType.endsWith("+json");
  }
}
