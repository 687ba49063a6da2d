package dev.once.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A request without a key whose body was read: the handler gets the body in every dispatch. */
record UnkeyedExchange(RequestBody body) implements SuspendedExchange {
  @Override
  public void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    DispatchTracker dispatch = new DispatchTracker();
    dispatch.begin();
    chain.doFilter(new RepeatedRequest(request, body, dispatch), response);
    dispatch.end();
    dispatch.runDeferred();
  }
}
