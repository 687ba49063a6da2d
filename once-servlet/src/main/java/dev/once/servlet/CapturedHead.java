package dev.once.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Status and headers of a response whose body is held back from the client. They are set on the
 * real response immediately, so that the container's own rules on media types and encodings apply;
 * the real response sends nothing before the first byte of the body. They are read back when the
 * handler has finished.
 */
abstract class CapturedHead extends HttpServletResponseWrapper {
  private static final String LENGTH = "Content-Length";
  private static final String TYPE = "Content-Type";

  private int status;
  private boolean isDetached;
  private long declaredLength = -1;

  CapturedHead(HttpServletResponse response) {
    super(response);
    this.status = response.getStatus();
  }

  /** Returns whether there is a writer, which has started to use the encoding. */
  abstract boolean hasWriter();

  /**
   * Detaches the real response from a handler that may still be running: the container may soon
   * reuse it for another request. Calls of synchronized methods finish before this or start after
   * it.
   */
  final synchronized void detach() {
    setResponse(DetachedResponse.make());
    isDetached = true;
  }

  final synchronized boolean isDetached() {
    return isDetached;
  }

  /** Returns the size that the handler announced; -1 if it did not. */
  final long declaredLength() {
    return declaredLength;
  }

  @Override
  public synchronized void setStatus(int status) {
    super.setStatus(status);
    this.status = status;
  }

  /** Returns the status that was set here: the real response may have another by now. */
  @Override
  public int getStatus() {
    return status;
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
  public synchronized void setHeader(String name, @Nullable String value) {
    if (!isSpecial(name, value)) {
      super.setHeader(name, value);
    }
  }

  @Override
  public synchronized void addHeader(String name, @Nullable String value) {
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
  public synchronized void setContentType(@Nullable String type) {
    keepingEncoding(() -> super.setContentType(type));
  }

  @Override
  public synchronized void setCharacterEncoding(@Nullable String encoding) {
    if (!hasWriter()) {
      super.setCharacterEncoding(encoding);
    }
  }

  @Override
  public void setCharacterEncoding(@Nullable Charset encoding) {
    setCharacterEncoding(encoding == null ? null : encoding.name());
  }

  @Override
  public synchronized void setLocale(Locale locale) {
    keepingEncoding(() -> super.setLocale(locale));
    // Tomcat derives the header from the locale only when it sends the response.
    super.setHeader("Content-Language", locale.toLanguageTag());
  }

  @Override
  public synchronized void reset() {
    super.reset();
    status = SC_OK;
    declaredLength = -1;
  }

  /**
   * Handles two headers separately: the length is sent when it is known, and the media type has a
   * method of its own.
   */
  private boolean isSpecial(String name, @Nullable String value) {
    if (name.equalsIgnoreCase(LENGTH)) {
      declaredLength = value == null ? -1 : Long.parseLong(value);
      return true;
    }
    if (name.equalsIgnoreCase(TYPE)) {
      setContentType(value);
      return true;
    }
    return false;
  }

  private void keepingEncoding(Runnable change) {
    String encoding = getCharacterEncoding();
    change.run();
    if (hasWriter()) {
      super.setCharacterEncoding(encoding);
    }
  }
}
