package dev.once.effects;

import dev.once.internal.Limits;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** A request that an event makes of an API. Immutable. */
public final class ApiRequest {
  public static final int MAX_PATH_CHARS = 4096;
  public static final int MAX_BODY_BYTES = 4 << 20;

  private static final int MAX_CONTENT_TYPE_CHARS = 255;
  private static final String JSON = "application/json";
  private static final Pattern PATH = Pattern.compile("/(?!/)[!-~]*");

  private final String method;
  private final String path;
  private final String contentType;
  private final byte[] body;

  private ApiRequest(String method, String path, String contentType, byte[] body) {
    Limits.length("path", path, 1, MAX_PATH_CHARS);
    Limits.text("content type", contentType, 0, MAX_CONTENT_TYPE_CHARS);
    Limits.range("bytes of a request's body", body.length, 0, MAX_BODY_BYTES);
    if (!PATH.matcher(path).matches() || !isUri(path)) { // Not shown: an id may be personal data.
      throw new IllegalArgumentException(
          "path must begin with one slash and have only characters of a URI: encode its parts");
    }
    this.method = method;
    this.path = path;
    this.contentType = contentType;
    this.body = body;
  }

  /**
   * Returns a request with a JSON body.
   *
   * @param path below the address of the API, with a query perhaps
   */
  public static ApiRequest post(String path, String json) {
    return withJson("POST", path, json);
  }

  public static ApiRequest put(String path, String json) {
    return withJson("PUT", path, json);
  }

  public static ApiRequest patch(String path, String json) {
    return withJson("PATCH", path, json);
  }

  /** Returns a request without a body. */
  public static ApiRequest delete(String path) {
    return new ApiRequest("DELETE", path, "", new byte[0]);
  }

  /** Sets a body of another media type. The bytes are shared, not copied: do not change them. */
  public ApiRequest withBody(String contentType, byte[] body) {
    return new ApiRequest(method, path, contentType, body);
  }

  private static ApiRequest withJson(String method, String path, String json) {
    return new ApiRequest(method, path, JSON, json.getBytes(StandardCharsets.UTF_8));
  }

  String method() {
    return method;
  }

  String path() {
    return path;
  }

  String contentType() {
    return contentType;
  }

  byte[] body() {
    return body;
  }

  private static boolean isUri(String path) {
    try {
      return URI.create("http://host" + path).getFragment() == null;
    } catch (IllegalArgumentException e) { // Its message quotes the path.
      return false;
    }
  }

  /** Shows neither path nor body. */
  @Override
  public String toString() {
    return method + " with " + body.length + " bytes";
  }
}
