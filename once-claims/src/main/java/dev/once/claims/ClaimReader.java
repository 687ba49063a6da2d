package dev.once.claims;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Recovery;
import dev.once.Terms;
import dev.once.http.Caller;
import dev.once.internal.Limits;
import dev.once.json.Fingerprinter;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Reads values of the engine from members. Limits are those of the values themselves. Methods throw
 * {@link IllegalArgumentException} with a message for the client if a member is not accepted.
 */
final class ClaimReader {
  /**
   * Comes before every scope, so that no worker reads, holds or completes a key of a route, a job
   * or a payment.
   */
  static final String SCOPE_PREFIX = "claims:";

  static final int MAX_SCOPE_CHARS = Key.MAX_SCOPE_CHARS - SCOPE_PREFIX.length();

  /** Shorter tokens are counters or names, which two workers may both choose. */
  static final int MIN_TOKEN_CHARS = 16;

  static final int MAX_TOKEN_CHARS = 128;

  private ClaimReader() {}

  static ClaimRequest claim(
      Caller caller, Headers correlation, Body body, Fingerprinter fingerprinter) {
    Members members = body.members();
    Key key = key(caller, members);
    long token = token(caller, members.text("token"));
    Fingerprint fingerprint = fingerprint(members, body, fingerprinter);
    Terms terms = terms(members);
    boolean reconciling = members.findFlag("reconciling").orElse(false);
    members.end();
    return ClaimRequest.of(key, fingerprint, terms)
        .withToken(token)
        .withReconciling(reconciling)
        .withCorrelation(correlation);
  }

  /** Reads which grant is meant. Stores know a grant by its key and fence. */
  static Claim.Granted grant(Caller caller, Members members) {
    Key key = key(caller, members);
    long fence = members.number("fence");
    Limits.range("fence", fence, 1, Long.MAX_VALUE);
    return new Claim.Granted(key, fence, 1);
  }

  /** Reads how long an outcome is replayed; as long as the engine does by default if not given. */
  static Duration retention(Members members, Outcome outcome) {
    Duration usual = outcome.failed() ? Terms.DEFAULT.failedRetention() : Terms.DEFAULT.retention();
    Duration retention = members.findMillis("retention_millis").orElse(usual);
    return Terms.DEFAULT.withRetention(retention, retention).retention();
  }

  /** Reads the length of a renewal; zero ends the lease at once, as if its owner had crashed. */
  static Duration renewal(Members members) {
    Duration lease = members.findMillis("lease_millis").orElse(Terms.DEFAULT.lease());
    return lease.isZero() ? lease : Terms.DEFAULT.withLease(lease).lease();
  }

  private static Key key(Caller caller, Members members) {
    String scope = members.text("scope");
    Limits.length("scope", scope, 1, MAX_SCOPE_CHARS);
    return new Key(caller.tenant(), SCOPE_PREFIX + scope, members.text("key"));
  }

  /**
   * Returns the token that the store compares. The caller is part of it: a grant is not given to
   * another caller, even if that one sends the same token.
   */
  private static long token(Caller caller, String token) {
    Limits.text("token", token, MIN_TOKEN_CHARS, MAX_TOKEN_CHARS);
    String digest = Fingerprint.sha256(caller.id(), token).digest();
    byte[] bytes = Base64.getUrlDecoder().decode(digest);
    return ByteBuffer.wrap(Arrays.copyOf(bytes, Long.BYTES)).getLong();
  }

  private static Fingerprint fingerprint(Members members, Body body, Fingerprinter fingerprinter) {
    Optional<String> ready = members.findText("fingerprint");
    Optional<byte[]> request = body.canonical("request");
    members.find("request");
    if (ready.isPresent() && request.isPresent()) {
      throw new IllegalArgumentException("send request or fingerprint, not both");
    }
    return ready
        .map(Fingerprint::parse)
        .or(() -> request.map(fingerprinter::json))
        .orElse(Fingerprint.NONE);
  }

  private static Terms terms(Members members) {
    Terms usual = Terms.DEFAULT;
    Duration lease = members.findMillis("lease_millis").orElse(usual.lease());
    Duration retention = members.findMillis("retention_millis").orElse(usual.retention());
    long maxAttempts = members.findNumber("max_attempts").orElse((long) usual.maxAttempts());
    Limits.range("max_attempts", maxAttempts, 1, Terms.MAX_ATTEMPTS);
    return usual
        .withLease(lease)
        .withRetention(retention, usual.failedRetention())
        .withRecovery(
            members.findText("recovery").map(ClaimReader::recovery).orElse(usual.recovery()))
        .withMaxAttempts((int) maxAttempts);
  }

  private static Recovery recovery(String text) {
    return switch (text) {
      case "rerun" -> Recovery.RERUN;
      case "ask" -> Recovery.ASK;
      default -> throw new IllegalArgumentException("recovery must be rerun or ask");
    };
  }
}
