package dev.once.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An exchange that goes on when the container dispatches its request again. */
interface Pending {
  /** Where the container keeps it meanwhile. */
  String ATTRIBUTE = "dev.once.servlet.pending";

  void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException;

  static @Nullable Pending of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Pending it ? it : null;
  }
}
