package dev.once.examples.pipeline;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;

/** Serves the page that shows the system at work. */
final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** The files by their paths. */
  private static final Map<String, File> FILES =
      Map.of(
          "/", new File("page.html", "text/html"),
          "/page.css", new File("page.css", "text/css"),
          "/page.js", new File("page.js", "text/javascript"));

  private record File(String name, String type) {}

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    File file = FILES.get(request.getRequestURI());
    if (file == null) {
      Problem.of(404, "page.missing", "there is nothing at this path").send(response);
      return;
    }
    response.setContentType(file.type() + ";charset=utf-8");
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    try (InputStream content = PageServlet.class.getResourceAsStream(file.name())) {
      Objects.requireNonNull(content, file.name()).transferTo(response.getOutputStream());
    }
  }
}
