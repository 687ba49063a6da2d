package dev.once.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the API of a console as one user. */
record ConsoleClient(String address, String token) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper MAPPER = new JsonMapper();

  /** What came back. */
  record Reply(int status, String text) {
    JsonNode json() {
      return MAPPER.readTree(text);
    }

    /** The values of one member of every element of a list. */
    List<String> values(String list, String member) {
      List<String> values = new ArrayList<>();
      for (JsonNode it : json().get(list)) {
        values.add(it.get(member).asString());
      }
      return values;
    }

    String detail() {
      return json().get("detail").asString();
    }
  }

  Reply get(String path) throws IOException, InterruptedException {
    return reply(send("GET", "api/" + path, "", Map.of()));
  }

  Reply act(String action, Map<String, ?> body) throws IOException, InterruptedException {
    Map<String, Object> all = new TreeMap<>(body);
    all.putIfAbsent("reason", "ticket 7");
    return post("actions/" + action, MAPPER.writeValueAsString(all));
  }

  Reply post(String path, String body) throws IOException, InterruptedException {
    Map<String, String> headers = Map.of("Content-Type", "application/json", "X-Once-Console", "1");
    return reply(send("POST", "api/" + path, body, headers));
  }

  static Reply reply(HttpResponse<String> response) {
    return new Reply(response.statusCode(), response.body());
  }

  HttpResponse<String> send(String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    headers.forEach(request::header);
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
