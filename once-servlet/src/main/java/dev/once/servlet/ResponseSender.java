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

/** Sends answers to the real response and reports them to the listener. */
final class ResponseSender {
  private final HttpServletResponse response;
  private final ExchangeListener listener;

  /** Headers that earlier filters set: they stay when the handler's own answer is discarded. */
  private final Map<String, Collection<String>> before;

  private ResponseSender(
      HttpServletResponse response,
      ExchangeListener listener,
      Map<String, Collection<String>> before) {
    this.response = response;
    this.listener = listener;
    this.before = before;
  }

  /** Creates a sender for a response that no handler has used yet. */
  static ResponseSender to(HttpServletResponse response, ExchangeListener listener) {
    Map<String, Collection<String>> before = new LinkedHashMap<>();
    response
        .getHeaderNames()
        .forEach(name -> before.put(name, List.copyOf(response.getHeaders(name))));
    return new ResponseSender(response, listener, before);
  }

  /** Creates a sender for another dispatch of the request. */
  ResponseSender to(HttpServletResponse response) {
    return new ResponseSender(response, listener, before);
  }

  HttpServletResponse response() {
    return response;
  }

  /** Sends an answer that does not come from the handler. */
  void send(HttpOperation operation, Answered answered) throws IOException {
    tell(operation, answered);
    write(answered.answer(), response);
  }

  /** Sends an answer in place of the one that the handler has given. */
  void sendInstead(HttpOperation operation, Answered answered) throws IOException {
    tell(operation, answered);
    sendInstead(answered.answer());
  }

  void sendInstead(HttpAnswer answer) throws IOException {
    response.reset();
    if (response.getTrailerFields() != null) {
      response.setTrailerFields(null);
    }
    restore(response);
    write(answer, response);
  }

  /** Writes an answer in place of the one that the handler has started. */
  void replace(CapturedResponse captured, HttpAnswer answer) throws IOException {
    captured.startOver();
    restore(captured);
    write(answer, captured);
  }

  /** Sends what the handler has written, with the headers that the contract adds. */
  void send(HttpOperation operation, HttpAnswer kept, CapturedResponse captured)
      throws IOException {
    Answered answered = operation.executed(kept);
    tell(operation, answered);
    mark(kept, answered.answer());
    captured.sendThrough();
  }

  /** Notifies only the listener: the answer is sent elsewhere. */
  void tell(HttpOperation operation, Answered answered) {
    listener.answered(operation, answered);
  }

  static void writeBody(byte[] body, HttpServletResponse response) throws IOException {
    if (mayHaveBody(response.getStatus()) && response.getTrailerFields() == null) {
      response.setContentLength(body.length);
    }
    if (body.length > 0) {
      response.getOutputStream().write(body);
    }
    response.flushBuffer();
  }

  static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    Set<String> seen = new TreeSet<>();
    for (Header header : answer.headers().list()) {
      // The first header of a name replaces those that earlier filters set.
      if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
        response.setHeader(header.name(), header.value());
      } else {
        response.addHeader(header.name(), header.value());
      }
    }
    writeBody(answer.bytes(), response);
  }

  private void mark(HttpAnswer kept, HttpAnswer marked) {
    List<Header> all = marked.headers().list();
    for (Header mark : all.subList(kept.headers().list().size(), all.size())) {
      response.setHeader(mark.name(), mark.value());
    }
  }

  private void restore(HttpServletResponse to) {
    before.forEach((name, values) -> values.forEach(value -> to.addHeader(name, value)));
  }

  private static boolean mayHaveBody(int status) {
    return status >= HttpServletResponse.SC_OK
        && status != HttpServletResponse.SC_NO_CONTENT
        && status != HttpServletResponse.SC_NOT_MODIFIED;
  }
}
