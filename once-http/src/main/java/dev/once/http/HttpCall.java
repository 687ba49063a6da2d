package dev.once.http;

import dev.once.Fingerprint;
import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import java.util.List;

/**
 * The parts of a request that are compared with another request under the same key.
 *
 * @param method the method, in upper case
 * @param path the path as the client sent it
 * @param query the query without its question mark; empty if there is none
 * @param ifMatch every line of If-Match
 * @param body the body
 */
public record HttpCall(
    String method, String path, String query, List<String> ifMatch, HttpBody body) {
  public HttpCall {
    ifMatch = List.copyOf(ifMatch);
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
