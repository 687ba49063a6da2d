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

/** A response whose body stays in memory until someone says that it may be sent. */
final class CapturedResponse extends CapturedHead {
  /** What happens to a response that outgrows its limit. */
  @FunctionalInterface
  interface Overflow {
    /** Where the response continues. */
    ServletOutputStream onOverflow(CapturedResponse response, long size) throws IOException;
  }

  private final CaptureStream stream;
  private @Nullable PrintWriter writer;
  private boolean streamTaken;
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
        .orElseGet(this::answerWithoutHeaders);
  }

  /** That the handler answered, when nobody knows any longer with which headers. */
  HttpAnswer answerWithoutHeaders() {
    return new HttpAnswer(
        getStatus(), Headers.NONE, new Payload.Dropped(stream.toByteArray().length));
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

  /** Whether the body outgrew its limit and could not go on. */
  boolean isCutOff() {
    return stream.isCutOff();
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
    ResponseSender.writeBody(stream.toByteArray(), real());
  }

  boolean isStreaming() {
    return stream.isStreaming();
  }

  /** Where a body goes on that is not kept. */
  ServletOutputStream throughStream() throws IOException {
    if (declaredLength() >= 0) {
      real().setContentLengthLong(declaredLength());
    }
    return real().getOutputStream();
  }

  /** Sends the end of a body that was not kept. */
  void finishStreaming() throws IOException {
    stream.flush();
    stream.suspend();
  }

  /** Forgets everything that was written and asked for, whoever did so. */
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
      // Shows the encoding in Content-Type, as the container's own writer would.
      setCharacterEncoding(encoding);
      writer = new PrintWriter(new OutputStreamWriter(stream, Charset.forName(encoding)));
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
