package dev.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** A file of the page: one of a fixed list, read once. */
record PageFile(String type, String text, String tag) {
  private static final String INDEX = "index.html";
  private static final String LIST = "files.txt";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=utf-8",
          "css", "text/css;charset=utf-8",
          "js", "text/javascript;charset=utf-8",
          "svg", "image/svg+xml");

  private static final Map<String, PageFile> FILES = readAll();

  static void send(String name, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String method = request.getMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      Answer.problem(ApiException.notAllowed()).send(request, response);
      return;
    }
    PageFile file = FILES.get(name.isEmpty() ? INDEX : name);
    if (file == null) {
      Answer.problem(ApiException.absent("page")).send(request, response);
      return;
    }
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("ETag", file.tag);
    if (file.tag.equals(request.getHeader("If-None-Match"))) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    byte[] bytes = file.text.getBytes(UTF_8);
    response.setContentType(file.type);
    response.setContentLength(bytes.length);
    if (!method.equals("HEAD")) {
      response.getOutputStream().write(bytes);
    }
  }

  /** Returns the names of all files. */
  static Iterable<String> names() {
    return FILES.keySet();
  }

  private static Map<String, PageFile> readAll() {
    Map<String, PageFile> files = new TreeMap<>();
    read(LIST).lines().forEach(it -> files.put(it, of(it)));
    return files;
  }

  private static PageFile of(String name) {
    String text = read(name);
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new AssertionError("files of the page have a known type, " + name + " has none");
    }
    String tag = "\"%08x-%x\"".formatted(text.hashCode(), text.length());
    return new PageFile(type, text, tag);
  }

  private static String read(String name) {
    try (InputStream in = PageFile.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        throw new AssertionError("the jar has no page/" + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
