package dev.once.servlet;

import dev.once.Headers;
import dev.once.Headers.Header;
import dev.once.Payload;
import dev.once.http.HttpAnswer;
import dev.once.servlet.CaptureStream.Overflow;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body stays in memory. Status and headers go to the real response at once, which
 * sends nothing before a first byte of the body, so the container's own rules on media types and
 * encodings hold; they are read back when the handler is done.
 */
final class CapturedResponse extends HttpServletResponseWrapper {
  private final CaptureStream stream;
  private @Nullable PrintWriter writer;
  private boolean streamTaken;
  private long declaredLength = -1;
  private int errorStatus;
  private @Nullable String errorMessage;

  CapturedResponse(HttpServletResponse response, int limit, Overflow overflow) {
    super(response);
    this.stream = new CaptureStream(limit, overflow);
  }

  /** What the handler answered, with those of its headers that are kept. */
  HttpAnswer answer(Set<String> keptHeaders) {
    finishWriting();
    byte[] body = stream.toByteArray();
    try {
      return HttpAnswer.of(getStatus(), headers(keptHeaders), body);
    } catch (IllegalArgumentException e) { // More headers than a record may have.
      return new HttpAnswer(getStatus(), Headers.NONE, new Payload.Dropped(body.length));
    }
  }

  private Headers headers(Set<String> kept) {
    List<Header> headers = new ArrayList<>();
    for (String name : getHeaderNames()) {
      if (kept.contains(name.toLowerCase(Locale.ROOT))) {
        getHeaders(name).forEach(value -> headers.add(new Header(name, value)));
      }
    }
    Headers all = new Headers(headers);
    String type = getContentType(); // Some containers do not count it among the headers.
    return type != null && kept.contains("content-type") && all.first("Content-Type").isEmpty()
        ? all.with("Content-Type", type)
        : all;
  }

  /** The status that the handler asked the container to make an error page for; 0 if none. */
  int errorStatus() {
    return errorStatus;
  }

  /** Passes on to the container what the handler asked for. */
  void sendErrorThrough() throws IOException {
    HttpServletResponse real = (HttpServletResponse) getResponse();
    if (errorMessage == null) {
      real.sendError(errorStatus);
    } else {
      real.sendError(errorStatus, errorMessage);
    }
  }

  /** Sends the body that was kept; a response that is being streamed has only its end to send. */
  void sendThrough() throws IOException {
    finishWriting();
    if (stream.isStreaming()) {
      stream.flush();
      return;
    }
    byte[] body = stream.toByteArray();
    HttpServletResponse real = (HttpServletResponse) getResponse();
    if (real.getTrailerFields() == null && mayHaveBody(getStatus())) {
      real.setContentLength(body.length);
    }
    if (body.length > 0) {
      real.getOutputStream().write(body);
    }
    real.flushBuffer();
  }

  boolean isStreaming() {
    return stream.isStreaming();
  }

  /** The size the handler announced, for a body that is not kept whole. */
  long declaredLength() {
    return declaredLength;
  }

  @Override
  public ServletOutputStream getOutputStream() {
    if (writer != null) {
      throw new IllegalStateException("getWriter was called before: a response has one of the two");
    }
    streamTaken = true;
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (streamTaken) {
      throw new IllegalStateException(
          "getOutputStream was called before: a response has one of the two");
    }
    if (writer == null) {
      // Shows the encoding in Content-Type, as the container's own writer would.
      setCharacterEncoding(getCharacterEncoding());
      writer =
          new PrintWriter(new OutputStreamWriter(stream, Charset.forName(getCharacterEncoding())));
    }
    return writer;
  }

  /** What filters behind us see after an error is the error, as it would be without us. */
  @Override
  public int getStatus() {
    return errorStatus == 0 ? super.getStatus() : errorStatus;
  }

  @Override
  public void sendError(int status) {
    sendError(status, null);
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    resetBuffer();
    errorStatus = status;
    errorMessage = message;
  }

  @Override
  public void sendRedirect(String location) {
    sendRedirect(location, SC_FOUND, true);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    if (clearBuffer) {
      resetBuffer();
    }
    setStatus(status);
    setHeader("Location", location);
  }

  @Override
  public void setContentLength(int length) {
    declaredLength = length;
  }

  @Override
  public void setContentLengthLong(long length) {
    declaredLength = length;
  }

  /** The whole body is the buffer. */
  @Override
  public void setBufferSize(int size) {}

  @Override
  public void flushBuffer() throws IOException {
    if (writer != null) {
      writer.flush();
    }
    stream.flush();
  }

  @Override
  public boolean isCommitted() {
    return errorStatus != 0 || super.isCommitted();
  }

  @Override
  public void resetBuffer() {
    if (stream.isStreaming()) {
      throw new IllegalStateException("the response is already on its way to the client");
    }
    if (writer != null) {
      writer.flush();
    }
    stream.reset();
  }

  @Override
  public void reset() {
    resetBuffer();
    super.reset();
    writer = null;
    streamTaken = false;
    declaredLength = -1;
  }

  private void finishWriting() {
    if (writer != null) {
      writer.flush();
    }
  }

  private static boolean mayHaveBody(int status) {
    return status >= SC_OK && status != SC_NO_CONTENT && status != SC_NOT_MODIFIED;
  }
}
