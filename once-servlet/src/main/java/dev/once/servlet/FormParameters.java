package dev.once.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.http.HttpBody;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The parameters of a form. If this filter has read the body, the container has nothing left to
 * parse, so they are parsed here. If an earlier filter has read the parameters, the container has
 * parsed the body, and this filter could not read it.
 */
final class FormParameters {
  /** The limit of common containers. */
  private static final int MAX_PARAMETERS = 10_000;

  private static final String FORM = "application/x-www-form-urlencoded";

  private FormParameters() {}

  static boolean isForm(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.toLowerCase(Locale.ROOT).startsWith(FORM);
  }

  /** Returns the parameters of the query, from the container, and then those of the body. */
  static Map<String, String[]> of(HttpServletRequest request, byte[] body) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    request
        .getParameterMap()
        .forEach((name, list) -> values.put(name, new ArrayList<>(List.of(list))));
    Charset charset = charsetOf(request);
    for (String pair : pairs(new String(body, charset))) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      values
          .computeIfAbsent(decode(name, charset), it -> new ArrayList<>())
          .add(decode(value, charset));
    }
    Map<String, String[]> parameters = new LinkedHashMap<>();
    values.forEach((name, list) -> parameters.put(name, list.toArray(String[]::new)));
    return parameters;
  }

  /** Returns whether the container has more parameters than the query can contain. */
  static boolean areParsed(HttpServletRequest request) {
    String query = request.getQueryString();
    int inQuery = query == null ? 0 : pairs(query).size();
    return request.getParameterMap().values().stream().mapToInt(it -> it.length).sum() > inQuery;
  }

  /** Returns a form that the container has parsed, for comparison. */
  static HttpBody parsed(HttpServletRequest request) {
    Map<String, String[]> sorted = new TreeMap<>(request.getParameterMap());
    return to -> {
      to.text(FORM);
      sorted.forEach(
          (name, values) -> {
            for (String value : values) {
              to.text(name).text(value);
            }
          });
      return to;
    };
  }

  private static List<String> pairs(String encoded) {
    String[] pairs = encoded.split("&", MAX_PARAMETERS + 1);
    if (pairs.length > MAX_PARAMETERS) {
      throw new RefusedException(
          Refusal.BODY_REFUSED, "a form must have at most " + MAX_PARAMETERS + " parameters");
    }
    return Stream.of(pairs).filter(it -> !it.isEmpty()).toList();
  }

  private static String decode(String encoded, Charset charset) {
    try {
      return URLDecoder.decode(encoded, charset);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          Refusal.BODY_REFUSED, "every % in a form must be followed by two hexadecimal digits");
    }
  }

  private static Charset charsetOf(HttpServletRequest request) {
    String encoding = request.getCharacterEncoding();
    try {
      return encoding == null ? UTF_8 : Charset.forName(encoding);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          Refusal.BODY_REFUSED, "the charset of a form must be one that Java knows: send UTF-8");
    }
  }
}
