package dev.once.console;

import dev.once.StoreException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Serves the console: its page, and its API below {@code api/}. Map it to a path such as {@code
 * /once/*}. Files of the page have no data and need no credential; every call of the API does.
 */
public final class ConsoleServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String API = "/api/";
  private static final int MAX_BODY_BYTES = 256 * 1024;

  /** So many calls use a connection at the same time: the others are for the application. */
  private static final int MAX_CALLS = 3;

  private static final Duration MAX_WAIT = Duration.ofSeconds(3);

  private final transient Console console;
  private final transient ConsoleUsers users;
  private final transient Semaphore calls = new Semaphore(MAX_CALLS, true);

  public ConsoleServlet(Console console, ConsoleUsers users) {
    this.console = console;
    this.users = users;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ResponseHeaders.set(response);
    String path = Objects.requireNonNullElse(request.getPathInfo(), "");
    if (!users.isOpenToOthers() && users.user(request).isEmpty()) {
      Answer.problem(ApiException.forbidden("this console is open to its own machine alone"))
          .send(request, response);
    } else if (path.isEmpty()) {
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", request.getContextPath() + request.getServletPath() + "/");
    } else if (path.startsWith(API)) {
      answer(request, path.substring(API.length())).send(request, response);
    } else {
      PageFile.send(path.substring(1), request, response);
    }
  }

  private Answer answer(HttpServletRequest request, String path) {
    try {
      RequestGuard.check(request);
      ConsoleUser user = users.user(request).orElseThrow(ApiException::unauthenticated);
      return Answer.of(guarded(user, request, path));
    } catch (ApiException e) {
      return Answer.problem(e);
    } catch (StoreException e) {
      log("the console cannot read or change", e);
      return Answer.problem(ApiException.unavailable());
    } catch (IllegalArgumentException e) {
      return Answer.problem(ApiException.invalid(String.valueOf(e.getMessage())));
    } catch (IOException | RuntimeException e) {
      log("the console failed", e);
      return Answer.problem(ApiException.failed());
    }
  }

  private Json guarded(ConsoleUser user, HttpServletRequest request, String path)
      throws IOException {
    try {
      if (!calls.tryAcquire(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw ApiException.busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiException.busy();
    }
    try {
      return call(user, request, path);
    } finally {
      calls.release();
    }
  }

  private Json call(ConsoleUser user, HttpServletRequest request, String path) throws IOException {
    String[] parts = path.split("/", -1);
    if (parts.length > 2) {
      throw ApiException.absent("page");
    }
    String view = parts.length == 2 ? parts[1] : "";
    if (parts[0].equals("actions")) {
      RequestGuard.requireMethod(request, "POST");
      return console.perform(view, user, body(request));
    }
    return parts[0].equals("me") && view.isEmpty()
        ? console.describe(user)
        : console.read(parts[0], view, new Query(user, parameters(request)));
  }

  /** Returns those of the address, or of the body: an address with a key would be in logs. */
  private static Map<String, String> parameters(HttpServletRequest request) throws IOException {
    Map<String, String> parameters = new TreeMap<>();
    if (request.getMethod().equals("POST")) {
      body(request)
          .properties()
          .forEach(it -> parameters.put(it.getKey(), text(it.getKey(), it.getValue())));
    } else {
      request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
    }
    return parameters;
  }

  private static String text(String name, JsonNode value) {
    if (!value.isString()) {
      throw ApiException.invalid(name + " must be a string");
    }
    return value.stringValue();
  }

  private static JsonNode body(HttpServletRequest request) throws IOException {
    byte[] body = request.getInputStream().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      throw ApiException.tooLarge();
    }
    return Json.read(body);
  }
}
