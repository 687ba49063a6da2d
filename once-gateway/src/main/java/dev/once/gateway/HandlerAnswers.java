package dev.once.gateway;

import dev.once.Headers.Header;
import dev.once.http.HttpAnswer;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends answers of {@code HttpOnce} without a servlet. */
final class HandlerAnswers {
  private HandlerAnswers() {}

  /** Sends {@code answer}. Its headers replace headers of the same name in the response. */
  static void write(HttpAnswer answer, Response response, Callback callback) {
    response.setStatus(answer.status());
    for (Header header : answer.headers().list()) {
      response.getHeaders().put(header.name(), header.value());
    }
    byte[] body = answer.bytes();
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
  }
}
