package dev.once.claims;

import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.Terms;
import dev.once.UnreadableOutcomeException;
import dev.once.http.Caller;
import dev.once.internal.Limits;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import dev.once.servlet.CallerResolver;
import dev.once.servlet.RequestIds;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets workers in any language claim, renew, complete and release keys over HTTP. Map it to {@code
 * /once/v1/*}, behind authentication; {@code /once/v1/openapi.json} describes it.
 *
 * <p>It keeps nothing itself: a grant is its key and fence, so any number of servlets over one
 * store serve the same workers. The tenant of a key is the caller's. A tenant's workers share their
 * scopes, which are apart from all other records: the scope {@code invoices} of a request is the
 * scope {@code claims:invoices} of its record.
 */
public final class ClaimsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Members besides the payload: the longest headers, each character escaped, and some more. */
  static final int OTHER_BYTES = 6 * Headers.MAX_CHARS + (32 << 10);

  private static final String DESCRIPTION = "openapi.json";

  private final transient RecordStore store;
  private final transient CallerResolver callers;
  private final transient Fingerprinter fingerprinter;
  private final int maxPayloadBytes;

  private ClaimsServlet(Builder builder) {
    this.store = builder.store;
    this.callers = builder.callers;
    this.fingerprinter = builder.fingerprinter;
    this.maxPayloadBytes = builder.maxPayloadBytes;
  }

  /** Starts to build a servlet over {@code store}, for the callers that {@code callers} accepts. */
  public static Builder builder(RecordStore store, CallerResolver callers) {
    return new Builder(store, callers);
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      serve(request, response);
    } catch (ProblemException e) {
      AnswerWriter.send(e, response);
    }
  }

  private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = Objects.requireNonNullElse(request.getPathInfo(), "");
    switch (path) {
      case "/claims" -> AnswerWriter.send(claim(request, response), response);
      case "/claims/complete" -> change(request, response, this::complete);
      case "/claims/release" -> change(request, response, this::release);
      case "/claims/renew" -> change(request, response, this::renew);
      case "/" + DESCRIPTION -> describe(request, response);
      default ->
          throw new ProblemException(
              Problem.PATH_UNKNOWN, "see " + DESCRIPTION + " for the paths that are served");
    }
  }

  private ObjectNode claim(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Caller caller = caller(request, response);
    Body body = body(request);
    Headers correlation = RequestIds.of(request, response);
    ClaimRequest claim =
        accepted(() -> ClaimReader.claim(caller, correlation, body, fingerprinter));
    try {
      return ClaimJson.write(store.claim(claim), claim);
    } catch (UnreadableOutcomeException e) {
      throw new ProblemException(
          Problem.OUTCOME_UNREADABLE,
          "the effect happened, but its outcome cannot be read: ask the operator of this server");
    } catch (StoreException e) {
      throw unanswered(e, "the key may be granted: send the claim again, with the same token");
    }
  }

  /** One operation on a grant: reads it from a body, and returns what is left to do. */
  private interface GrantOperation {
    Runnable read(Claim.Granted grant, Members members);
  }

  private void change(
      HttpServletRequest request, HttpServletResponse response, GrantOperation operation)
      throws IOException {
    Caller caller = caller(request, response);
    Body body = body(request);
    Runnable change =
        accepted(
            () -> {
              Members members = body.members();
              Runnable read = operation.read(ClaimReader.grant(caller, members), members);
              members.end();
              return read;
            });
    try {
      change.run();
    } catch (LeaseLostException e) {
      throw new ProblemException(
          Problem.LEASE_LOST,
          "fence %d is not the newest grant, or was given back: stop, and claim again"
              .formatted(e.fence()));
    } catch (StoreException e) {
      throw unanswered(e, "the change may have been made: send it again, unchanged");
    }
    AnswerWriter.sendNothing(response);
  }

  private Runnable complete(Claim.Granted grant, Members members) {
    Outcome outcome = OutcomeJson.read(members.object("outcome"), maxPayloadBytes);
    Duration retention = ClaimReader.retention(members, outcome);
    return () -> store.complete(grant, outcome, retention);
  }

  private Runnable release(Claim.Granted grant, Members members) {
    return () -> store.release(grant);
  }

  private Runnable renew(Claim.Granted grant, Members members) {
    Duration lease = ClaimReader.renewal(members);
    return () -> store.renew(grant, lease);
  }

  /** Refuses other methods than POST, and requests without an authenticated caller. */
  private Caller caller(HttpServletRequest request, HttpServletResponse response) {
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "POST");
      throw new ProblemException(Problem.METHOD_REFUSED, "use POST");
    }
    return callers
        .caller(request)
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.CALLER_REQUIRED, "authenticate: keys belong to a tenant"));
  }

  private Body body(HttpServletRequest request) throws IOException {
    int base64 = (maxPayloadBytes + 2) / 3 * 4;
    return Body.read(request, base64 + OTHER_BYTES);
  }

  /** Returns what is read from a body, or refuses the member that is not accepted. */
  private static <T> T accepted(Supplier<T> read) {
    try {
      return read.get();
    } catch (JsonRefusedException e) {
      throw Body.refused(e);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.MEMBER_REFUSED, String.valueOf(e.getMessage()));
    }
  }

  private static ProblemException unanswered(StoreException failure, String otherwise) {
    return failure instanceof StoreUnavailableException
        ? new ProblemException(Problem.STORE_UNAVAILABLE, "nothing was changed: send it again")
        : new ProblemException(Problem.ANSWER_LOST, otherwise);
  }

  private static void describe(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
      response.setHeader("Allow", "GET, HEAD");
      throw new ProblemException(Problem.METHOD_REFUSED, "use GET");
    }
    try (InputStream description = ClaimsServlet.class.getResourceAsStream(DESCRIPTION)) {
      byte[] bytes = Objects.requireNonNull(description, DESCRIPTION).readAllBytes();
      response.setContentType("application/json");
      response.setContentLength(bytes.length);
      response.getOutputStream().write(bytes);
    }
  }

  /** Builds a servlet; discarded after {@link #build}. */
  public static final class Builder {
    /** Larger results belong in a store of files, with their address as the payload. */
    public static final int MAX_PAYLOAD_BYTES = 8 << 20;

    private final RecordStore store;
    private final CallerResolver callers;
    private Fingerprinter fingerprinter = Fingerprinter.sha256();
    private int maxPayloadBytes = Terms.DEFAULT.maxPayloadBytes();

    private Builder(RecordStore store, CallerResolver callers) {
      this.store = store;
      this.callers = callers;
    }

    /** Sets how requests are compared; by SHA-256 without a secret by default. */
    public Builder fingerprinter(Fingerprinter fingerprinter) {
      this.fingerprinter = fingerprinter;
      return this;
    }

    /** Sets the largest payload that is kept; as large as the engine keeps by default. */
    public Builder maxPayloadBytes(int maxPayloadBytes) {
      Limits.range("payload limit", maxPayloadBytes, 0, MAX_PAYLOAD_BYTES);
      this.maxPayloadBytes = maxPayloadBytes;
      return this;
    }

    public ClaimsServlet build() {
      return new ClaimsServlet(this);
    }
  }
}
