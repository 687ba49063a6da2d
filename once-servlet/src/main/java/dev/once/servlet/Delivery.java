package dev.once.servlet;

import dev.once.Headers.Header;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Sends answers, to the real response and to the listener. */
final class Delivery {
  private final HttpServletResponse response;
  private final ExchangeListener listener;

  /** What filters before us put there: it stays when the handler's own answer is thrown away. */
  private final Map<String, Collection<String>> before = new LinkedHashMap<>();

  Delivery(HttpServletResponse response, ExchangeListener listener) {
    this.response = response;
    this.listener = listener;
    response
        .getHeaderNames()
        .forEach(name -> before.put(name, List.copyOf(response.getHeaders(name))));
  }

  HttpServletResponse response() {
    return response;
  }

  /** Sends an answer that did not come from the handler just now. */
  void send(HttpOperation operation, Answered answered) throws IOException {
    listener.answered(operation, answered);
    write(answered.answer(), response);
  }

  /** Sends an answer in the place of the one that the handler has given. */
  void sendInstead(HttpOperation operation, Answered answered) throws IOException {
    response.reset();
    before.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    send(operation, answered);
  }

  /** Sends what the handler has written, with the marks that the contract adds. */
  void send(HttpOperation operation, HttpAnswer kept, CapturedResponse captured)
      throws IOException {
    Answered answered = operation.executed(kept);
    listener.answered(operation, answered);
    if (!captured.isStreaming()) {
      mark(kept, answered.answer());
    }
    captured.sendThrough();
  }

  static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    Set<String> seen = new TreeSet<>();
    for (Header header : answer.headers().list()) {
      // The first of a name takes the place of what filters before us put there.
      if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
        response.setHeader(header.name(), header.value());
      } else {
        response.addHeader(header.name(), header.value());
      }
    }
    byte[] body = answer.bytes();
    if (body.length > 0) {
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
    }
    response.flushBuffer();
  }

  private void mark(HttpAnswer kept, HttpAnswer marked) {
    List<Header> all = marked.headers().list();
    for (Header mark : all.subList(kept.headers().list().size(), all.size())) {
      response.setHeader(mark.name(), mark.value());
    }
  }
}
