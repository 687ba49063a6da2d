package dev.once.examples.planning;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A client of the API with one caller's token. */
record Api(URI url, @Nullable String token, String tenant) {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  static final String KEY = "Idempotency-Key";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Returns a client of another server with the same caller. */
  Api at(PlanningServer server) {
    return new Api(server.url(), token, tenant);
  }

  /** Sends alternating names and values of headers; null is no body. A write gets a new key. */
  Reply send(String method, String path, @Nullable String json, String... headers) {
    HttpRequest.Builder request = request(method, path, json);
    if (!method.equals("GET") && !method.equals("HEAD")) {
      request.setHeader(KEY, randomId());
    }
    return send(request, headers);
  }

  /** Sends a write without a key, unless there is one among the headers. */
  Reply sendWithoutKey(String method, String path, @Nullable String json, String... headers) {
    return send(request(method, path, json), headers);
  }

  private HttpRequest.Builder request(String method, String path, @Nullable String json) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(TIMEOUT)
            .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
    if (json != null) {
      request.setHeader("Content-Type", "application/json");
    }
    if (token != null) {
      request.setHeader("Authorization", "Bearer " + token);
    }
    return request;
  }

  private static Reply send(HttpRequest.Builder request, String... headers) {
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return send(request.build());
  }

  Reply get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  Reply post(String path, @Nullable String json, String... headers) {
    return send("POST", path, json, headers);
  }

  /** Changes the current revision of the resource in {@code created}. */
  Reply change(String method, Reply created, @Nullable String json) {
    return send(method, created.location(), json, "If-Match", tag(created));
  }

  /** Changes the state of the resource in {@code created}, as in {@code archive}. */
  Reply transition(Reply created, String verb) {
    return post(created.location() + "/" + verb, null, "If-Match", tag(created));
  }

  /** Returns the current entity tag of the resource in {@code created}. */
  String tag(Reply created) {
    return get(created.location()).expect(200).header("ETag");
  }

  Reply newProject() {
    return post("/v1/projects", "{\"name\":\"Harbour\"}").expect(201);
  }

  /** Creates a mission on one day of November, from one hour to another. */
  Reply newMission(Reply project, int fromHour, int toHour) {
    String body =
        """
        {"title":"Survey","starts_at":"2026-11-01T%02d:00:00Z","ends_at":"2026-11-01T%02d:00:00Z"}
        """
            .formatted(fromHour, toHour);
    return post(project.location() + "/missions", body).expect(201);
  }

  Reply newCollaborator(Reply project) {
    String body = "{\"name\":\"Ada\",\"phone\":\"+4915112345678\"}";
    return post(project.location() + "/collaborators", body).expect(201);
  }

  Reply assign(Reply mission, Reply collaborator) {
    return post(
        mission.location() + "/assignments", "{\"collaborator_id\":\"" + collaborator.id() + "\"}");
  }

  Reply move(Reply assignment, Reply mission) {
    String body = "{\"mission_id\":\"" + mission.id() + "\"}";
    return post(assignment.location() + "/move", body, "If-Match", tag(assignment));
  }

  static String randomId() {
    return UUID.randomUUID().toString();
  }

  private static Reply send(HttpRequest request) {
    try {
      return Reply.of(CLIENT.send(request, BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + request, e);
    }
  }
}
