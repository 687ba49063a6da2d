package dev.once.servlet;

import dev.once.Headers;
import dev.once.Payload;
import dev.once.http.HttpAnswer;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body stays in memory. Status and headers go to the real response at once, which
 * sends nothing before a first byte of the body, so the container's own rules on media types and
 * encodings hold; they are read back when the handler is done.
 */
final class CapturedResponse extends HttpServletResponseWrapper {
  /** What happens to a response that outgrows its limit. */
  @FunctionalInterface
  interface Overflow {
    /** Where the response continues. */
    ServletOutputStream onOverflow(CapturedResponse response, long size) throws IOException;
  }

  private final CaptureStream stream;
  private @Nullable PrintWriter writer;
  private boolean streamTaken;
  private long declaredLength = -1;
  private int errorStatus;
  private @Nullable String errorMessage;

  /** A response whose listeners are called by {@code later}. */
  CapturedResponse(HttpServletResponse response, int limit, Overflow overflow, Executor later) {
    super(response);
    this.stream = new CaptureStream(limit, size -> overflow.onOverflow(this, size), later);
  }

  /** What the handler answered, with those of its headers that are kept. */
  HttpAnswer answer(Set<String> keptHeaders) {
    byte[] body = stream.toByteArray();
    return KeptHeaders.of(this, keptHeaders)
        .map(headers -> HttpAnswer.of(getStatus(), headers, body))
        .orElseGet(
            () -> new HttpAnswer(getStatus(), Headers.NONE, new Payload.Dropped(body.length)));
  }

  /** Has everything that was written in the body. */
  void finishWriting() {
    if (writer != null) {
      writer.flush();
    }
  }

  /**
   * Makes sure that nothing is missing in the body.
   *
   * @throws IOException if it outgrew its limit and could not go on
   */
  void requireWhole() throws IOException {
    stream.requireWhole();
  }

  /** The status that the handler asked the container to make an error page for; 0 if none. */
  int errorStatus() {
    return errorStatus;
  }

  /** Passes on to the container what the handler asked for. */
  void sendErrorThrough() throws IOException {
    if (errorMessage == null) {
      real().sendError(errorStatus);
    } else {
      real().sendError(errorStatus, errorMessage);
    }
  }

  /** Sends the body that was kept. */
  void sendThrough() throws IOException {
    Delivery.writeBody(stream.toByteArray(), real());
  }

  boolean isStreaming() {
    return stream.isStreaming();
  }

  /** Where a body goes on that is not kept. */
  ServletOutputStream throughStream() throws IOException {
    if (declaredLength >= 0) {
      real().setContentLengthLong(declaredLength);
    }
    return real().getOutputStream();
  }

  /** Sends the end of a body that was not kept. */
  void finishStreaming() throws IOException {
    stream.flush();
    stream.suspend();
  }

  /** The size that the handler announced; -1 if it did not. */
  long declaredLength() {
    return declaredLength;
  }

  /** Forgets everything that was written and asked for, whoever did so. */
  void startOver() {
    clearBuffer();
    super.reset();
    stream.resume();
    writer = null;
    streamTaken = false;
    declaredLength = -1;
    errorStatus = 0;
    errorMessage = null;
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
      String encoding = getCharacterEncoding();
      // Shows the encoding in Content-Type, as the container's own writer would.
      setCharacterEncoding(encoding);
      writer = new PrintWriter(new OutputStreamWriter(stream, Charset.forName(encoding)));
    }
    return writer;
  }

  @Override
  public void sendError(int status) {
    sendError(status, null);
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    resetBuffer();
    stream.suspend();
    errorStatus = status;
    errorMessage = message;
  }

  @Override
  public void sendRedirect(String location) {
    sendRedirect(location, SC_FOUND, true);
  }

  @Override
  public void sendRedirect(String location, int status) {
    sendRedirect(location, status, true);
  }

  @Override
  public void sendRedirect(String location, boolean clearBuffer) {
    sendRedirect(location, SC_FOUND, clearBuffer);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    if (clearBuffer) {
      resetBuffer();
    }
    finishWriting();
    stream.suspend();
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

  @Override
  public void setHeader(String name, String value) {
    if (!isSpecial(name, value)) {
      super.setHeader(name, value);
    }
  }

  @Override
  public void addHeader(String name, String value) {
    if (!isSpecial(name, value)) {
      super.addHeader(name, value);
    }
  }

  @Override
  public void setIntHeader(String name, int value) {
    setHeader(name, Integer.toString(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    addHeader(name, Integer.toString(value));
  }

  @Override
  public void setContentType(String type) {
    keepingEncoding(() -> super.setContentType(type));
  }

  @Override
  public void setCharacterEncoding(String encoding) {
    if (writer == null) {
      super.setCharacterEncoding(encoding);
    }
  }

  @Override
  public void setCharacterEncoding(Charset encoding) {
    setCharacterEncoding(encoding.name());
  }

  @Override
  public void setLocale(Locale locale) {
    keepingEncoding(() -> super.setLocale(locale));
    // Tomcat makes the header of it only when it sends the response.
    super.setHeader("Content-Language", locale.toLanguageTag());
  }

  /** The whole body is the buffer. */
  @Override
  public void setBufferSize(int size) {}

  @Override
  public void flushBuffer() throws IOException {
    finishWriting();
    stream.flush();
  }

  @Override
  public boolean isCommitted() {
    return errorStatus != 0 || stream.isStreaming() || super.isCommitted();
  }

  @Override
  public void resetBuffer() {
    if (isCommitted()) {
      throw new IllegalStateException("the response is already on its way to the client");
    }
    clearBuffer();
  }

  @Override
  public void reset() {
    resetBuffer();
    startOver();
  }

  private void clearBuffer() {
    stream.reset(this::finishWriting);
  }

  /** The length is sent when it is known, and the media type has a method of its own. */
  private boolean isSpecial(String name, @Nullable String value) {
    if (name.equalsIgnoreCase("Content-Length")) {
      declaredLength = value == null ? -1 : Long.parseLong(value);
      return true;
    }
    if (name.equalsIgnoreCase("Content-Type") && value != null) {
      setContentType(value);
      return true;
    }
    return false;
  }

  /** Nothing changes the encoding once there is a writer, which has begun to use it. */
  private void keepingEncoding(Runnable change) {
    String encoding = getCharacterEncoding();
    change.run();
    if (writer != null) {
      super.setCharacterEncoding(encoding);
    }
  }

  private HttpServletResponse real() {
    return (HttpServletResponse) getResponse();
  }
}
