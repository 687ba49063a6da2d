package dev.once.examples.planning;

import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Refuses bodies larger than any request of this API needs, with or without a Content-Length. */
@ControllerAdvice
class BodyLimit extends RequestBodyAdviceAdapter {
  private static final int MAX_BYTES = 1 << 20;

  @Override
  public boolean supports(
      MethodParameter parameter, Type target, Class<? extends HttpMessageConverter<?>> converter) {
    return true;
  }

  @Override
  public HttpInputMessage beforeBodyRead(
      HttpInputMessage message,
      MethodParameter parameter,
      Type target,
      Class<? extends HttpMessageConverter<?>> converter)
      throws IOException {
    byte[] body = message.getBody().readNBytes(MAX_BYTES + 1);
    if (body.length > MAX_BYTES) {
      throw new RefusedException(
          Refusal.BODY_TOO_LARGE, "the body must have at most " + MAX_BYTES + " bytes: send less");
    }
    return new Read(message.getHeaders(), new ByteArrayInputStream(body));
  }

  /** A message with its body in memory. */
  private record Read(HttpHeaders headers, InputStream body) implements HttpInputMessage {
    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public InputStream getBody() {
      return body;
    }
  }
}
