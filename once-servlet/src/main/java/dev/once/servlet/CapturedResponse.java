package dev.once.servlet;

import dev.once.Headers;
import dev.once.Payload;
import dev.once.http.HttpAnswer;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A response whose body stays in memory until the exchange sends it. */
final class CapturedResponse extends CapturedHead {
  /** Handles a response that exceeds its limit. */
  @FunctionalInterface
  interface Overflow {
    /** Returns the stream on which the response continues. */
    ServletOutputStream onOverflow(CapturedResponse response, long size) throws IOException;
  }

  private final CaptureStream stream;
  private @Nullable PrintWriter writer;
  private boolean streamTaken;
  private int errorStatus;
  private @Nullable String errorMessage;

  /** Creates a response that calls its listeners through {@code later}. */
  CapturedResponse(HttpServletResponse response, int limit, Overflow overflow, Executor later) {
    super(response);
    this.stream = new CaptureStream(limit, size -> overflow.onOverflow(this, size), later);
  }

  /** Returns the handler's answer, with only the headers that are kept. */
  HttpAnswer answer(Set<String> keptHeaders) {
    byte[] body = stream.toByteArray();
    return KeptHeaders.of(this, keptHeaders)
        .map(headers -> HttpAnswer.of(getStatus(), headers, body))
        .orElseGet(this::answerWithoutHeaders);
  }

  /**
   * Returns an answer with the status and the size only, when the headers are lost or do not fit.
   */
  HttpAnswer answerWithoutHeaders() {
    return new HttpAnswer(
        getStatus(), Headers.NONE, new Payload.Dropped(stream.toByteArray().length));
  }

  /** Flushes the writer, so that the body is complete. */
  void finishWriting() {
    if (writer != null) {
      writer.flush();
    }
  }

  /**
   * Checks that no bytes of the body are missing.
   *
   * @throws IOException if it exceeded its limit and could not be continued
   */
  void requireWhole() throws IOException {
    stream.requireWhole();
  }

  /** Returns whether the body exceeded its limit and could not be continued. */
  boolean isCutOff() {
    return stream.isCutOff();
  }

  /** Returns the status that the handler passed to {@code sendError}; 0 if it did not call it. */
  int errorStatus() {
    return errorStatus;
  }

  /** Forwards the handler's {@code sendError} to the container. */
  void sendErrorThrough() throws IOException {
    if (errorMessage == null) {
      real().sendError(errorStatus);
    } else {
      real().sendError(errorStatus, errorMessage);
    }
  }

  /** Sends the buffered body. */
  void sendThrough() throws IOException {
    ResponseSender.writeBody(stream.toByteArray(), real());
  }

  boolean isStreaming() {
    return stream.isStreaming();
  }

  /** Returns the stream for a body that is not kept. */
  ServletOutputStream throughStream() throws IOException {
    if (declaredLength() >= 0) {
      real().setContentLengthLong(declaredLength());
    }
    return real().getOutputStream();
  }

  /** Flushes the end of a body that was not kept, and ignores later writes. */
  void finishStreaming() throws IOException {
    stream.flush();
    stream.suspend();
  }

  /** Discards the body, the headers and any error, also those of earlier filters. */
  synchronized void startOver() {
    clearBuffer();
    super.reset();
    stream.resume();
    writer = null;
    streamTaken = false;
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
      // Adds the encoding to Content-Type, as the container's own writer would.
      setCharacterEncoding(encoding);
      writer = new PrintWriter(new OutputStreamWriter(stream, Charset.forName(encoding)));
    }
    return writer;
  }

  /**
   * Returns the error status after {@code sendError}, as other filters would see it without Once.
   */
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

  /** Does nothing: the whole body is the buffer. */
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
  public synchronized void reset() {
    resetBuffer();
    startOver();
  }

  @Override
  boolean hasWriter() {
    return writer != null;
  }

  private void clearBuffer() {
    stream.reset(this::finishWriting);
  }

  private HttpServletResponse real() {
    return (HttpServletResponse) getResponse();
  }
}
