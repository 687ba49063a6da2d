package dev.once.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A status and a JSON body. */
record Answer(int status, String type, Json json) {
  static Answer of(Json json) {
    return new Answer(HttpServletResponse.SC_OK, "application/json", json);
  }

  static Answer problem(ApiException e) {
    Json json = new Json().put("status", e.status()).put("detail", String.valueOf(e.getMessage()));
    return new Answer(e.status(), "application/problem+json", json);
  }

  void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
    byte[] body = json.bytes();
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(type);
    response.setContentLength(body.length);
    if (status == HttpServletResponse.SC_UNAUTHORIZED) {
      response.setHeader("WWW-Authenticate", "Bearer realm=\"once\"");
    }
    if (status == HttpServletResponse.SC_METHOD_NOT_ALLOWED) {
      response.setHeader("Allow", "GET, POST");
    }
    if (!request.getMethod().equals("HEAD")) {
      response.getOutputStream().write(body);
    }
  }
}
