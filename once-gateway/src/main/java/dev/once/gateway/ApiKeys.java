package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.http.Caller;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Knows clients by a key in the header X-API-Key, of which it has only the hash. */
record ApiKeys(List<ApiKey> keys) implements Authenticator {
  static final String HEADER = "X-API-Key";

  @Override
  public Optional<Caller> caller(Request request) throws BadCredentialsException {
    String given = request.getHeaders().get(HEADER);
    if (given == null) {
      return Optional.empty();
    }
    byte[] hash = sha256(given);
    Caller found = null;
    for (ApiKey key : keys) { // All of them, so that the time does not tell which one is close.
      if (MessageDigest.isEqual(HexFormat.of().parseHex(key.sha256()), hash)) {
        found = key.caller();
      }
    }
    if (found == null) {
      throw new BadCredentialsException("the API key is not known");
    }
    return Optional.of(found);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
