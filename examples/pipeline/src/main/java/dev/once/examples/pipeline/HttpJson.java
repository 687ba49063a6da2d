package dev.once.examples.pipeline;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON from the servers of the demo. */
final class HttpJson {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  JsonNode get(URI address) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(address).GET());
  }

  JsonNode post(URI address, String json) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        http.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.uri() + " answered " + answer.statusCode());
    }
    return JsonMapper.shared().readTree(answer.body());
  }
}
