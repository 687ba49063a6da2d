package dev.once.examples.pipeline;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Sends commands to the API, and again with the same id if there is no answer. */
final class CommandSender {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int TRIES = 20;
  private static final long PAUSE_MILLIS = 250;
  private static final int UNAVAILABLE = 503;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI api;
  private final Tally tally;

  CommandSender(URI api, Tally tally) {
    this.api = api;
    this.tally = tally;
  }

  /** An answer of the API. */
  record Answer(int status, boolean isReplayed, String body) {
    boolean isAppended() {
      return status == 200 || status == 201;
    }

    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    String code() {
      return json().path("code").asString("");
    }
  }

  Answer create(Kind kind, String eventId, ObjectNode state) throws InterruptedException {
    return send(
        request("/v1/" + kind.plural(), eventId).POST(BodyPublishers.ofString(state.toString())));
  }

  Answer update(Kind kind, String eventId, String id, ObjectNode state, long expected)
      throws InterruptedException {
    ObjectNode body = state.deepCopy().put("expected_seq", expected);
    return send(request(path(kind, id), eventId).PUT(BodyPublishers.ofString(body.toString())));
  }

  Answer delete(Kind kind, String eventId, String id, long expected) throws InterruptedException {
    return send(request(path(kind, id) + "?expected_seq=" + expected, eventId).DELETE());
  }

  private Answer send(HttpRequest.Builder builder) throws InterruptedException {
    HttpRequest request = builder.build();
    IOException failure = new IOException("the API is unavailable");
    for (int i = 0; i < TRIES; i++) {
      tally.countSent();
      try {
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != UNAVAILABLE) {
          boolean isReplayed =
              answer.headers().firstValue(CommandServlet.REPLAYED_HEADER).isPresent();
          return new Answer(answer.statusCode(), isReplayed, answer.body());
        }
      } catch (IOException e) {
        failure = e;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new IllegalStateException("a command was not answered", failure);
  }

  private HttpRequest.Builder request(String path, String eventId) {
    return HttpRequest.newBuilder(api.resolve(path))
        .timeout(TIMEOUT)
        .header("Content-Type", "application/json")
        .header(CommandReader.KEY_HEADER, eventId);
  }

  private static String path(Kind kind, String id) {
    String encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    return "/v1/" + kind.plural() + "/" + encoded;
  }
}
