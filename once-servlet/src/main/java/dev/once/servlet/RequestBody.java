package dev.once.servlet;

import dev.once.http.Contract;
import dev.once.http.HttpBody;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, read once and within its limit.
 *
 * @param compared what makes it the same as another one
 * @param bytes what the handler reads again; null if the container has parsed it into parts
 */
@SuppressWarnings("ArrayRecordComponent") // carried from here to the handler, never compared
record RequestBody(HttpBody compared, byte @Nullable [] bytes) {
  /** Refuses a body that says by itself that it is too large. */
  static void checkLength(HttpServletRequest request, Contract contract) {
    if (request.getContentLengthLong() > contract.maxBodyBytes()) {
      throw tooLarge(contract);
    }
  }

  static RequestBody read(HttpServletRequest request, Contract contract)
      throws IOException, ServletException {
    String type = Objects.requireNonNullElse(request.getContentType(), "");
    if (type.toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
      List<Part> parts = parts(request);
      if (!parts.isEmpty()) {
        return new RequestBody(multipart(parts, contract), null);
      }
    }
    byte[] bytes = request.getInputStream().readNBytes(contract.maxBodyBytes() + 1);
    if (bytes.length > contract.maxBodyBytes()) {
      throw tooLarge(contract);
    }
    if (bytes.length == 0 && FormParameters.isForm(request)) {
      return new RequestBody(form(request), null);
    }
    return new RequestBody(HttpBody.of(type, bytes), bytes);
  }

  /** A filter before us asked for a parameter, so the container has parsed the form. */
  private static HttpBody form(HttpServletRequest request) {
    Map<String, String[]> parameters = Map.copyOf(request.getParameterMap());
    return to -> {
      to.text("application/x-www-form-urlencoded");
      new TreeMap<>(parameters)
          .forEach((name, values) -> List.of(values).forEach(it -> to.text(name).text(it)));
      return to;
    };
  }

  /** The parts, if the servlet is set up for them; otherwise it reads the bytes by itself. */
  private static List<Part> parts(HttpServletRequest request) throws IOException, ServletException {
    try {
      return List.copyOf(request.getParts());
    } catch (IllegalStateException e) {
      return List.of();
    }
  }

  /** Clients choose a new boundary for every try, so the parts are compared, not the bytes. */
  private static HttpBody multipart(List<Part> parts, Contract contract) throws IOException {
    long size = parts.stream().mapToLong(Part::getSize).sum();
    if (size > contract.maxBodyBytes()) {
      throw tooLarge(contract);
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

  private static RefusedException tooLarge(Contract contract) {
    return new RefusedException(
        Refusal.BODY_TOO_LARGE,
        "the body must have at most " + contract.maxBodyBytes() + " bytes: send less");
  }
}
