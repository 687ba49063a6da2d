package dev.once.client;

import dev.once.internal.Limits;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A write that must take effect once: a request, its own id, and, separate from that, the key that
 * is sent with every attempt. Both are made when the operation is created, so create it before the
 * code that retries. Immutable.
 */
public final class Operation {
  public static final int MAX_BODY_BYTES = 16 << 20;
  public static final int MAX_NAME_CHARS = 200;

  private static final int MAX_KEY_CHARS = 255;
  private static final int MAX_URI_CHARS = 8_000;
  private static final int MAX_HEADERS = 50;
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1," + MAX_KEY_CHARS + "}");
  private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7e\\t]{0,4000}");
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "proxy-authorization", "cookie");

  /** Headers that the HTTP client sets by itself. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection", "content-length", "expect", "host", "transfer-encoding", "upgrade", "te");

  private final String key;
  private final String type;
  private final String method;
  private final URI uri;
  private final Map<String, String> headers;
  private final byte[] body;
  private final Optional<String> orderingKey;

  /** Made when it is asked for: a request that is sent at once needs none. */
  private volatile @Nullable String id;

  private Operation(Builder builder) {
    this.id = builder.id;
    this.key = builder.key == null ? UUID.randomUUID().toString() : builder.key;
    this.method = builder.method;
    this.uri = builder.uri;
    this.type = builder.type;
    this.headers = Collections.unmodifiableMap(new TreeMap<>(builder.headers));
    this.body = builder.body; // A copy of its own.
    this.orderingKey = builder.orderingKey;
  }

  public static Builder post(String uri) {
    return builder("POST", URI.create(uri));
  }

  public static Builder put(String uri) {
    return builder("PUT", URI.create(uri));
  }

  public static Builder patch(String uri) {
    return builder("PATCH", URI.create(uri));
  }

  public static Builder delete(String uri) {
    return builder("DELETE", URI.create(uri));
  }

  public static Builder builder(String method, URI uri) {
    return new Builder(method, uri);
  }

  /**
   * Returns a builder of an operation with the same request, and with an id and a key of its own.
   */
  public Builder copy() {
    Builder copy = new Builder(method, uri);
    copy.type = type;
    copy.headers.putAll(headers);
    copy.body = body;
    copy.orderingKey = orderingKey;
    return copy;
  }

  /** Returns the name of this operation on this side, a random UUID unless chosen. */
  public String id() {
    String known = id;
    return known == null ? newId() : known;
  }

  private synchronized String newId() {
    String known = id;
    if (known == null) {
      known = UUID.randomUUID().toString();
      id = known;
    }
    return known;
  }

  /** Returns what the server knows the operation by. */
  public String key() {
    return key;
  }

  /** Returns the kind of operation, such as {@code createUser}; method and path unless chosen. */
  public String type() {
    return type;
  }

  public String method() {
    return method;
  }

  public URI uri() {
    return uri;
  }

  /** Returns the headers without key and credentials, with names in lower case. */
  public Map<String, String> headers() {
    return headers;
  }

  public byte[] body() {
    return body.clone();
  }

  /** Returns the body itself, which must not be changed. */
  byte[] bytes() {
    return body;
  }

  /** Returns the resource whose operations a queue sends in order. */
  public Optional<String> orderingKey() {
    return orderingKey;
  }

  @Override
  public String toString() {
    return type + " " + id();
  }

  /** Refuses a header that HTTP does not allow, without showing its value, which may be secret. */
  static void requireHeader(String name, String value) {
    if (!HEADER_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a header has a name that HTTP does not allow: " + name);
    }
    if (!HEADER_VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "header " + name + " has a character that HTTP does not allow, such as a line end");
    }
  }

  /** Builds an operation. */
  public static final class Builder {
    private final String method;
    private final URI uri;
    private final Map<String, String> headers = new TreeMap<>();
    private @Nullable String id;
    private @Nullable String key;
    private String type;
    private byte[] body = new byte[0];
    private Optional<String> orderingKey = Optional.empty();

    private Builder(String method, URI uri) {
      if (!METHOD.matcher(method).matches()) {
        throw new IllegalArgumentException("method must be like POST, got " + method);
      }
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (!Set.of("http", "https").contains(scheme) || uri.getHost() == null) {
        throw new IllegalArgumentException("uri must be http(s)://host..., got " + uri.getScheme());
      }
      if (uri.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "uri must not have a user: give credentials to OnceHttpClient.Builder.credentials");
      }
      Limits.length("uri", uri.toString(), 1, MAX_URI_CHARS);
      this.method = method;
      this.uri = uri;
      String path = uri.getRawPath() == null ? "" : uri.getRawPath();
      String name = method + " " + path;
      this.type = name.length() <= MAX_NAME_CHARS ? name : name.substring(0, MAX_NAME_CHARS);
    }

    /** Sets a body of JSON. */
    public Builder json(String json) {
      return body("application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the body {@code {"meta": …, "payload": …}}; both are JSON. */
    public Builder envelope(String meta, String payload) {
      return json("{\"meta\":" + meta + ",\"payload\":" + payload + "}");
    }

    public Builder body(String contentType, byte[] body) {
      if (body.length > MAX_BODY_BYTES) {
        throw new IllegalArgumentException(
            "body must have at most " + MAX_BODY_BYTES + " bytes, got " + body.length);
      }
      this.body = body.clone();
      return header("Content-Type", contentType);
    }

    /**
     * Sets a header.
     *
     * @throws IllegalArgumentException also if it would carry credentials, which a queue must not
     *     store: they belong into {@link OnceHttpClient.Builder#credentials}
     */
    public Builder header(String name, String value) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (CREDENTIALS.contains(lower)) {
        throw new IllegalArgumentException(
            name + " must not be part of an operation: use OnceHttpClient.Builder.credentials");
      }
      if (OF_THE_CONNECTION.contains(lower)) {
        throw new IllegalArgumentException(name + " is set by the HTTP client");
      }
      requireHeader(name, value);
      headers.put(lower, value);
      Limits.range("number of headers", headers.size(), 0, MAX_HEADERS);
      return this;
    }

    /** Sets the body without a content type; it must not be changed. */
    Builder bytes(byte[] body) {
      this.body = body;
      return this;
    }

    /** Sets the version that the write expects: the {@code ETag} of a read. */
    public Builder ifMatch(String etag) {
      return header("If-Match", etag);
    }

    public Builder type(String type) {
      Limits.text("type", type, 1, MAX_NAME_CHARS);
      this.type = type;
      return this;
    }

    /** Sets the resource whose operations a queue sends in order; the others do not wait for it. */
    public Builder orderingKey(String orderingKey) {
      Limits.text("orderingKey", orderingKey, 1, MAX_NAME_CHARS);
      this.orderingKey = Optional.of(orderingKey);
      return this;
    }

    /** Sets an id that was made before. */
    public Builder id(String id) {
      Limits.text("id", id, 1, MAX_NAME_CHARS);
      this.id = id;
      return this;
    }

    /** Sets a key that was made before, and stored with the operation. */
    public Builder key(String key) {
      if (!KEY.matcher(key).matches()) {
        throw new IllegalArgumentException(
            "key must have 1 to " + MAX_KEY_CHARS + " visible ASCII characters");
      }
      this.key = key;
      return this;
    }

    public Operation build() {
      return new Operation(this);
    }
  }
}
