package dev.once.servlet;

import dev.once.http.Contract;
import dev.once.http.HttpBody;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, read once and within its limit.
 *
 * @param compared the body's part of the fingerprint
 * @param bytes the bytes that the handler reads again; null if the container has parsed the body,
 *     or if it is too large for memory
 * @param spooled the body, if it is too large for memory
 */
@SuppressWarnings("ArrayRecordComponent") // passed to the handler, never compared
record RequestBody(HttpBody compared, byte @Nullable [] bytes, @Nullable Spooled spooled) {
  /**
   * A body that is too large for memory.
   *
   * @param body where it is kept
   * @param length its length
   */
  record Spooled(BodySpool.Body body, long length) {}

  /** Limits the memory for a body that is announced but never sent. */
  private static final int MAX_ANNOUNCED_BYTES = 16 * 1024;

  /**
   * Stands for a multipart body that the container cannot parse or that exceeds its limits. The
   * container repeats its failure to the handler, which refuses the request as it would without
   * Once.
   */
  private static final HttpBody UNREADABLE = to -> to.text("multipart/form-data").absent();

  private RequestBody(HttpBody compared, byte @Nullable [] bytes) {
    this(compared, bytes, null);
  }

  /** Refuses a body with a Content-Length over the limit. */
  static void checkLength(
      HttpServletRequest request, Contract contract, @Nullable BodySpool spool) {
    long max = spool == null ? contract.maxBodyBytes() : spool.maxBytes();
    if (request.getContentLengthLong() > max) {
      throw tooLarge(max);
    }
  }

  /**
   * Reads the body of a request.
   *
   * @param spool keeps a body that is too large for memory; without it, such a body is refused.
   *     With it, multipart bodies are compared by their bytes: the parts of a large one could not
   *     be compared in another way, and the size must not decide what is the same.
   */
  static RequestBody read(HttpServletRequest request, Contract contract, @Nullable BodySpool spool)
      throws IOException, ServletException {
    if (spool != null) {
      return unparsed(request, contract, spool);
    }
    if (!typeOf(request).toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
      return unparsed(request, contract, null);
    }
    try {
      return new RequestBody(multipart(request.getParts(), contract), null);
    } catch (IllegalStateException | ServletException e) {
      byte[] left = left(request, contract);
      // If nothing was read, the servlet is not configured for parts and parses the body itself.
      return isWhole(left, request)
          ? new RequestBody(HttpBody.of(typeOf(request), left), left)
          : new RequestBody(UNREADABLE, null);
    }
  }

  private static RequestBody unparsed(
      HttpServletRequest request, Contract contract, @Nullable BodySpool spool) throws IOException {
    byte[] bytes = bytes(request, contract.maxBodyBytes() + 1);
    if (bytes.length > contract.maxBodyBytes()) {
      if (spool == null || bytes.length > spool.maxBytes()) {
        throw tooLarge(contract.maxBodyBytes());
      }
      return spooled(request, bytes, spool);
    }
    if (bytes.length > 0) {
      return new RequestBody(HttpBody.of(typeOf(request), bytes), bytes);
    }
    if (FormParameters.isForm(request) && FormParameters.areParsed(request)) {
      return new RequestBody(FormParameters.parsed(request), null);
    }
    if (request.getContentLengthLong() > 0) {
      throw new IllegalStateException(
          "the body was read before it could be compared: put OnceFilter before whatever reads it,"
              + " or have that pass on a request that can be read again");
    }
    return new RequestBody(HttpBody.of(typeOf(request), bytes), bytes);
  }

  private static RequestBody spooled(HttpServletRequest request, byte[] first, BodySpool spool)
      throws IOException {
    InputStream whole =
        new SequenceInputStream(new ByteArrayInputStream(first), request.getInputStream());
    MeasuredStream measured = new MeasuredStream(whole, spool.maxBytes());
    BodySpool.Body body = spool.keep(request, measured);
    HttpBody compared = HttpBody.ofSha256(typeOf(request), measured.digest());
    return new RequestBody(compared, null, new Spooled(body, measured.length()));
  }

  /**
   * Opens the body for a handler, with a stream that calls its listener through {@code later};
   * empty if the container has parsed the body.
   */
  Optional<ServletInputStream> open(Executor later) throws IOException {
    if (spooled != null) {
      return Optional.of(new BodyStream(spooled.body().open(), spooled.length(), later));
    }
    return Optional.ofNullable(bytes).map(it -> new BodyStream(it, later));
  }

  /** Returns what a parser of parts has left of a body. */
  private static byte[] left(HttpServletRequest request, Contract contract) {
    try {
      return bytes(request, contract);
    } catch (IOException e) { // It has closed the body.
      return new byte[0];
    }
  }

  private static byte[] bytes(HttpServletRequest request, Contract contract) throws IOException {
    byte[] bytes = bytes(request, contract.maxBodyBytes() + 1);
    if (bytes.length > contract.maxBodyBytes()) {
      throw tooLarge(contract.maxBodyBytes());
    }
    return bytes;
  }

  /**
   * Reads up to {@code limit} bytes. A small body that announces its length goes into an array of
   * that length; without one, {@code readNBytes} takes a buffer of 16 KiB even for a few bytes.
   */
  private static byte[] bytes(HttpServletRequest request, int limit) throws IOException {
    InputStream in = request.getInputStream();
    int announced = (int) Math.min(request.getContentLengthLong(), limit);
    if (announced <= 0 || announced > MAX_ANNOUNCED_BYTES) {
      return in.readNBytes(limit);
    }
    byte[] first = new byte[announced];
    int size = in.readNBytes(first, 0, announced);
    if (size < announced) {
      return Arrays.copyOf(first, size);
    }
    int next = announced < limit ? in.read() : -1;
    return next < 0 ? first : longer(first, next, in.readNBytes(limit - announced - 1));
  }

  /**
   * Appends the rest of a body that is longer than its Content-Length: an earlier filter may have
   * decompressed the body and left the length unchanged.
   */
  private static byte[] longer(byte[] first, int next, byte[] rest) {
    byte[] all = Arrays.copyOf(first, first.length + 1 + rest.length);
    all[first.length] = (byte) next;
    System.arraycopy(rest, 0, all, first.length + 1, rest.length);
    return all;
  }

  /** Returns whether these are all bytes of a multipart body, and not the rest after a parser. */
  private static boolean isWhole(byte[] bytes, HttpServletRequest request) {
    long length = request.getContentLengthLong();
    return length < 0
        ? bytes.length > 1 && bytes[0] == '-' && bytes[1] == '-'
        : bytes.length == length;
  }

  /** Returns the Content-Type header; empty if there is none. */
  static String typeOf(HttpServletRequest request) {
    return Objects.requireNonNullElse(request.getContentType(), "");
  }

  /**
   * Compares the parts instead of the bytes, since clients choose a new boundary for every attempt.
   */
  private static HttpBody multipart(Collection<Part> parts, Contract contract) throws IOException {
    long size = parts.stream().mapToLong(Part::getSize).sum();
    if (size > contract.maxBodyBytes()) {
      throw tooLarge(contract.maxBodyBytes());
    }
    List<HttpBody> bodies = new ArrayList<>();
    for (Part part : parts) {
      String name = Objects.requireNonNullElse(part.getName(), "");
      String file = Objects.requireNonNullElse(part.getSubmittedFileName(), "");
      String type = Objects.requireNonNullElse(part.getContentType(), "");
      byte[] bytes = part.getInputStream().readAllBytes();
      bodies.add(to -> to.text(name).text(file).text(type).bytes(bytes));
    }
    return to -> {
      to.text("multipart/form-data");
      bodies.forEach(body -> body.addTo(to));
      return to;
    };
  }

  static RefusedException tooLarge(long maxBytes) {
    return new RefusedException(
        Refusal.BODY_TOO_LARGE, "the body must have at most " + maxBytes + " bytes: send less");
  }
}
