package dev.once.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The parameters of a form whose body we have read: the container, which would parse them from its
 * own stream, has nothing left to read.
 */
final class FormParameters {
  private FormParameters() {}

  static boolean isForm(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null
        && type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
  }

  /** Those of the query, which the container knows, and then those of the body. */
  static Map<String, String[]> of(HttpServletRequest request, byte[] body) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    request
        .getParameterMap()
        .forEach((name, list) -> values.put(name, new ArrayList<>(List.of(list))));
    Charset charset =
        request.getCharacterEncoding() == null
            ? UTF_8
            : Charset.forName(request.getCharacterEncoding());
    for (String pair : new String(body, charset).split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        values
            .computeIfAbsent(URLDecoder.decode(name, charset), it -> new ArrayList<>())
            .add(URLDecoder.decode(value, charset));
      }
    }
    Map<String, String[]> parameters = new LinkedHashMap<>();
    values.forEach((name, list) -> parameters.put(name, list.toArray(String[]::new)));
    return parameters;
  }
}
