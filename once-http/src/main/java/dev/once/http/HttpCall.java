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
  private final HttpBody body;

  private HttpCall(String method, String path, String query, List<String> ifMatch, HttpBody body) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.ifMatch = List.copyOf(ifMatch);
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
    return new HttpCall(method, path, query, ifMatch, body);
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

  /** Returns the body. */
  public HttpBody body() {
    return body;
  }

  /**
   * Digests the call: method, path, canonical query, If-Match, tenant, caller and body. Trace
   * headers and everything else that differs between two attempts of one operation are left out.
   *
   * @throws JsonRefusedException if the body is JSON without a single meaning
   */
  Fingerprint fingerprint(Fingerprinter fingerprinter, Caller caller) {
    try {
      return body.addTo(head(fingerprinter, caller)).finish();
    } catch (JsonRefusedException e) {
      if (body instanceof JsonBody json) {
        return json.addMalformedTo(head(fingerprinter, caller), e).finish();
      }
      throw e;
    }
  }

  private FingerprintParts head(Fingerprinter fingerprinter, Caller caller) {
    FingerprintParts parts =
        fingerprinter.start().text(method).text(path).text(CanonicalQuery.of(query));
    if (ifMatch.isEmpty()) {
      parts.absent();
    } else {
      parts.text(String.join(",", ifMatch));
    }
    return parts.text(caller.tenant()).text(caller.id());
  }
}
