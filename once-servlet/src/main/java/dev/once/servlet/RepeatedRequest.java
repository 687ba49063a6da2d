package dev.once.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A request whose body was read and is passed to the handler unchanged. */
class RepeatedRequest extends HttpServletRequestWrapper {
  private final RequestBody body;
  private final Executor later;
  private @Nullable ServletInputStream stream;
  private @Nullable BufferedReader reader;
  private @Nullable Map<String, String[]> form;

  /** Creates a request that calls its listeners through {@code later}. */
  RepeatedRequest(HttpServletRequest request, RequestBody body, Executor later) {
    super(request);
    this.body = body;
    this.later = later;
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (isParsed()) {
      return super.getInputStream();
    }
    if (stream == null) {
      stream = body.open(later).orElseThrow();
    }
    return stream;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (isParsed()) {
      return super.getReader();
    }
    if (reader == null) {
      String encoding = getCharacterEncoding();
      Charset charset = encoding == null ? ISO_8859_1 : charset(encoding);
      reader = new BufferedReader(new InputStreamReader(getInputStream(), charset));
    }
    return reader;
  }

  private static Charset charset(String name) throws UnsupportedEncodingException {
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedEncodingException("the request's charset is not known here");
    }
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterValues(name);
    return values == null || values.length == 0 ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return getParameterMap().get(name);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    if (isParsed() || !FormParameters.isForm(this)) {
      return super.getParameterMap();
    }
    if (form == null) {
      form = FormParameters.of((HttpServletRequest) getRequest(), bytes());
    }
    return form;
  }

  /** Returns whether the container has parsed the body. */
  private boolean isParsed() {
    return body.bytes() == null && body.spooled() == null;
  }

  private byte[] bytes() {
    byte[] bytes = body.bytes();
    if (bytes == null) {
      throw new IllegalStateException(
          "a form that is too large for memory has no parameters: read its stream");
    }
    return bytes;
  }
}
