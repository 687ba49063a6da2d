package dev.once.http;

import dev.once.Fingerprint;
import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import java.util.List;

/** The parts of a request that are compared with another request under the same key. */
public final class HttpCall {
  private final String method;
  private final String path;
  private final String query;
  private final List<String> ifMatch;
  private final List<String> headers;
  private final HttpBody body;

  private HttpCall(
      String method,
      String path,
      String query,
      List<String> ifMatch,
      List<String> headers,
      HttpBody body) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.ifMatch = List.copyOf(ifMatch);
    this.headers = List.copyOf(headers);
    this.body = body;
  }

  /**
   * Returns the call that a client made.
   *
   * @param method in upper case
   * @param path as the client sent it
   * @param query without its question mark; empty if there is none
   * @param ifMatch every line of If-Match
   */
  public static HttpCall of(
      String method, String path, String query, List<String> ifMatch, HttpBody body) {
    return new HttpCall(method, path, query, ifMatch, List.of(), body);
  }

  /** Returns the method, in upper case. */
  public String method() {
    return method;
  }

  /** Returns the path as the client sent it. */
  public String path() {
    return path;
  }

  /** Returns the query without its question mark; empty if there is none. */
  public String query() {
    return query;
  }

  /** Returns every line of If-Match. */
  public List<String> ifMatch() {
    return ifMatch;
  }

  /** Returns the other headers that are compared, each as {@code name: value}. */
  public List<String> headers() {
    return headers;
  }

  /**
   * Returns this call with the headers that are compared besides If-Match.
   *
   * @param headers each as {@code name: value}, in an order that does not depend on the client
   */
  public HttpCall withHeaders(List<String> headers) {
    return new HttpCall(method, path, query, ifMatch, headers, body);
  }

  /** Returns this call with these parts in place of its own. */
  HttpCall with(String otherQuery, List<String> otherIfMatch, HttpBody otherBody) {
    return new HttpCall(method, path, otherQuery, otherIfMatch, headers, otherBody);
  }

  /** Returns the body. */
  public HttpBody body() {
    return body;
  }

  /**
   * Digests the call: method, path, canonical query, If-Match, the other compared headers, tenant
   * and body. Trace headers and everything else that differs between two attempts of one operation
   * are left out. The caller is left out too: where two callers may not use the same key, it is
   * part of the scope.
   *
   * @throws JsonRefusedException if the body is JSON without a single meaning
   */
  Fingerprint fingerprint(Fingerprinter fingerprinter, String tenant) {
    try {
      return body.addTo(head(fingerprinter, tenant)).finish();
    } catch (JsonRefusedException e) {
      if (body instanceof JsonBody json) {
        return json.addMalformedTo(head(fingerprinter, tenant), e).finish();
      }
      throw e;
    }
  }

  private FingerprintParts head(Fingerprinter fingerprinter, String tenant) {
    FingerprintParts parts =
        fingerprinter.start().text(method).text(path).text(CanonicalQuery.of(query));
    if (ifMatch.isEmpty()) {
      parts.absent();
    } else {
      parts.text(String.join(",", ifMatch));
    }
    parts.text(Integer.toString(headers.size()));
    headers.forEach(parts::text);
    return parts.text(tenant);
  }
}
