package dev.once.effects;

import dev.once.client.internal.BoundedBody;
import dev.once.client.internal.HttpSender;
import dev.once.events.UnprocessableEventException;
import dev.once.internal.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * A database of TerminusDB, through its document API. Immutable; {@code
 * TerminusGraphStore.at(address, "admin", "plant").withBasic(user, password)}.
 *
 * <p>This part of the API is used, on {@code /api/document/{organization}/{database}} with {@code
 * graph_type=instance}:
 *
 * <ul>
 *   <li>{@code GET ?id=…&as_list=false} answers the document with the header {@code
 *       TerminusDB-Data-Version}, or 404 with {@code api:DocumentNotFound}.
 *   <li>{@code POST ?author=…&message=…} inserts a document, or answers {@code
 *       api:DocumentIdAlreadyExists}.
 *   <li>{@code PUT ?author=…&message=…&create=false} and {@code DELETE ?author=…&message=…&id=…}
 *       with the header {@code TerminusDB-Data-Version} replace and delete a document, or answer
 *       {@code api:DataVersionMismatch} or {@code api:DocumentNotFound}.
 * </ul>
 *
 * <p>It was tested against a server that speaks this part, and not against the product. The
 * product's data version is that of a branch: every write to the branch changes it. Its sources
 * compare the version when a transaction is opened, and not again when the server itself repeats
 * the transaction after a conflict: two writes under one version that arrive at the same moment may
 * both be accepted. Let one handler with a registry write a document, so that this takes a paused
 * owner that resumes in that very moment.
 */
public final class TerminusGraphStore implements GraphStore {
  public static final Duration DEFAULT_TIMEOUT = HttpSender.DEFAULT_TIMEOUT;
  public static final Duration MAX_TIMEOUT = HttpSender.MAX_TIMEOUT;

  /** The largest document that is read or written. */
  public static final int MAX_DOCUMENT_BYTES = 4 << 20;

  private static final int MAX_NAME_CHARS = 255;
  private static final int MAX_MESSAGE_CHARS = 255;
  private static final String AUTHOR = "once";
  private static final String DATA_VERSION = "TerminusDB-Data-Version";
  private static final String MISMATCH = "api:DataVersionMismatch";
  private static final String EXISTS = "api:DocumentIdAlreadyExists";
  private static final String NOT_FOUND = "api:DocumentNotFound";
  private static final int TOO_LARGE = 413;

  /** What may be shown of an answer: other text could quote the document. */
  private static final Pattern ERROR_TYPE = Pattern.compile("api:[A-Za-z]{1,100}");

  private final String path;
  private final HttpSender sender;
  private final Optional<String> authorization;
  private final String author;

  private TerminusGraphStore(
      String path, HttpSender sender, Optional<String> authorization, String author) {
    this.path = path;
    this.sender = sender;
    this.authorization = authorization;
    this.author = author;
  }

  /** Returns the main branch of a database on the server at {@code address}. */
  public static TerminusGraphStore at(URI address, String organization, String database) {
    Limits.text("organization", organization, 1, MAX_NAME_CHARS);
    Limits.text("database", database, 1, MAX_NAME_CHARS);
    String path =
        HttpSender.base("TerminusDB", address)
            + "/api/document/"
            + encode(organization)
            + "/"
            + encode(database);
    return new TerminusGraphStore(path, HttpSender.standard(), Optional.empty(), AUTHOR);
  }

  /** Authenticates by user and password. */
  public TerminusGraphStore withBasic(String user, String password) {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return withAuthorization("Basic " + Base64.getEncoder().encodeToString(both));
  }

  /** Authenticates by an API token. */
  public TerminusGraphStore withToken(String token) {
    return withAuthorization("Token " + token);
  }

  /** Sets the author of commits, {@code once} by default. */
  public TerminusGraphStore withAuthor(String author) {
    Limits.text("author", author, 1, MAX_NAME_CHARS);
    return new TerminusGraphStore(path, sender, authorization, author);
  }

  /** Uses another HTTP client, for certificates or proxies of one's own. */
  public TerminusGraphStore withHttp(HttpClient client) {
    return new TerminusGraphStore(
        path, new HttpSender(client, sender.timeout()), authorization, author);
  }

  /** Waits this long for each answer, 30 s by default. */
  public TerminusGraphStore withTimeout(Duration timeout) {
    return new TerminusGraphStore(
        path, new HttpSender(sender.http(), timeout), authorization, author);
  }

  @Override
  public Optional<StoredDocument> find(String id) throws InterruptedException {
    HttpRequest.Builder request = request("?graph_type=instance&as_list=false&id=" + encode(id));
    Answer answer = send("reading a document", request.GET());
    if (answer.isError(NOT_FOUND)) {
      return Optional.empty();
    }
    answer.requireSuccess();
    return Optional.of(answer.document());
  }

  @Override
  public boolean insert(String json, String message) throws InterruptedException {
    HttpRequest.Builder request =
        request(writing(message)).header("Content-Type", "application/json").POST(body(json));
    return isWritten(send("inserting a document", request), EXISTS);
  }

  @Override
  public boolean replace(String json, String dataVersion, String message)
      throws InterruptedException {
    HttpRequest.Builder request =
        request(writing(message) + "&create=false")
            .header("Content-Type", "application/json")
            .header(DATA_VERSION, dataVersion)
            .PUT(body(json));
    return isWritten(send("replacing a document", request), MISMATCH, NOT_FOUND);
  }

  @Override
  public boolean delete(String id, String dataVersion, String message) throws InterruptedException {
    HttpRequest.Builder request =
        request(writing(message) + "&id=" + encode(id)).header(DATA_VERSION, dataVersion).DELETE();
    return isWritten(send("deleting a document", request), MISMATCH, NOT_FOUND);
  }

  private TerminusGraphStore withAuthorization(String header) {
    HttpHeaderValues.check("Authorization", header);
    return new TerminusGraphStore(path, sender, Optional.of(header), author);
  }

  private HttpRequest.Builder request(String query) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(path + query));
    authorization.ifPresent(it -> request.header("Authorization", it));
    return request;
  }

  private String writing(String message) {
    Limits.text("message", message, 1, MAX_MESSAGE_CHARS);
    return "?graph_type=instance&author=" + encode(author) + "&message=" + encode(message);
  }

  private static BodyPublisher body(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_DOCUMENT_BYTES) {
      throw new UnprocessableEventException(
          "its document must have at most %d bytes, got %d"
              .formatted(MAX_DOCUMENT_BYTES, bytes.length));
    }
    return BodyPublishers.ofByteArray(bytes);
  }

  private Answer send(String what, HttpRequest.Builder request) throws InterruptedException {
    try {
      return new Answer(what, sender.send(request.build(), MAX_DOCUMENT_BYTES));
    } catch (IOException e) {
      throw new EffectException(
          "%s failed: no answer of TerminusDB (%s)".formatted(what, e.getClass().getSimpleName()),
          e);
    }
  }

  /** Returns false if the answer is one of {@code conflicts}. */
  private static boolean isWritten(Answer answer, String... conflicts) {
    for (String conflict : conflicts) {
      if (answer.isError(conflict)) {
        return false;
      }
    }
    answer.requireSuccess();
    return true;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** An answer, and what was asked for. */
  private record Answer(String what, HttpResponse<BoundedBody.Content> response) {
    boolean isSuccess() {
      return response.statusCode() / 100 == 2;
    }

    boolean isError(String type) {
      return !isSuccess() && errorType().equals(type);
    }

    /**
     * A document that the server refuses may refer to one that is still to come, so that a later
     * attempt can succeed. One that is too large stays so.
     */
    void requireSuccess() {
      if (isSuccess()) {
        return;
      }
      String failure =
          "%s failed: TerminusDB answered %d %s"
              .formatted(what, response.statusCode(), errorType())
              .strip();
      if (response.statusCode() == TOO_LARGE) {
        throw new UnprocessableEventException(failure);
      }
      throw new EffectException(failure, null);
    }

    StoredDocument document() {
      Optional<String> version = response.headers().firstValue(DATA_VERSION);
      Optional<ObjectNode> document = json();
      if (version.isEmpty() || document.isEmpty()) {
        throw new EffectException(
            "%s failed: the answer has no %s of at most %d bytes: check that the address is that of TerminusDB"
                .formatted(
                    what,
                    version.isEmpty() ? "header " + DATA_VERSION : "JSON object",
                    MAX_DOCUMENT_BYTES),
            null);
      }
      return new StoredDocument(Json.MAPPER.writeValueAsString(document.get()), version.get());
    }

    private String errorType() {
      String type = json().map(it -> it.path("api:error").path("@type").asString("")).orElse("");
      return ERROR_TYPE.matcher(type).matches() ? type : "";
    }

    private Optional<ObjectNode> json() {
      BoundedBody.Content body = response.body();
      return body.isComplete() ? Json.object(body.text()) : Optional.empty();
    }
  }
}
