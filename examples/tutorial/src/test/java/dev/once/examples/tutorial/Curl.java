package dev.once.examples.tutorial;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Sends what a command line of curl sends, and returns what curl prints. */
final class Curl {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String ADDRESS = "http://localhost:8080";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final HttpRequest request;
  private final boolean showsHeaders;

  private Curl(HttpRequest request, boolean showsHeaders) {
    this.request = request;
    this.showsHeaders = showsHeaders;
  }

  /** Reads a command line; its port 8080 becomes {@code port}. */
  static Curl parse(String line, int port) {
    HttpRequest.Builder request = HttpRequest.newBuilder().timeout(PATIENCE);
    boolean showsHeaders = false;
    Iterator<String> words = words(line).skip(1).iterator();
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "-i" -> showsHeaders = true;
        case "-H" -> addHeader(request, words.next());
        case "-d" -> request.POST(HttpRequest.BodyPublishers.ofString(words.next()));
        default -> request.uri(uri(word, port));
      }
    }
    return new Curl(request.build(), showsHeaders);
  }

  /** Sends the request. The result is exceptional if the server closes the connection first. */
  CompletableFuture<String> send() {
    return CLIENT.sendAsync(request, BodyHandlers.ofString()).thenApply(this::print);
  }

  private String print(HttpResponse<String> response) {
    if (!showsHeaders) {
      return response.body();
    }
    String headers =
        response.headers().map().entrySet().stream()
            .flatMap(it -> it.getValue().stream().map(value -> it.getKey() + ": " + value))
            .collect(joining("\n"));
    return "HTTP/1.1 " + response.statusCode() + "\n" + headers + "\n\n" + response.body();
  }

  private static Stream<String> words(String line) {
    return WORD.matcher(line).results().map(it -> it.group(1) == null ? it.group(2) : it.group(1));
  }

  private static void addHeader(HttpRequest.Builder request, String header) {
    String[] parts = header.split(": ", 2);
    request.header(parts[0], parts[1]);
  }

  private static URI uri(String word, int port) {
    if (!word.startsWith(ADDRESS)) {
      throw new IllegalArgumentException(
          "curl takes -i, -H, -d and an address at " + ADDRESS + " here, got " + word);
    }
    return URI.create("http://localhost:" + port + word.substring(ADDRESS.length()));
  }
}
