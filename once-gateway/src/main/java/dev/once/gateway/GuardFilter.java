package dev.once.gateway;

import dev.once.servlet.Answers;
import dev.once.servlet.OnceFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Applies the guard that {@link Admission} has found, in all dispatches of a request. */
final class GuardFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<Target> target = Target.find(request);
    Optional<OnceFilter> guard = target.flatMap(Target::guard);
    if (guard.isPresent()) {
      guard(target.get(), guard.get(), request, response, chain);
    } else {
      chain.doFilter(request, response); // A servlet of our own refuses what it must.
    }
  }

  private static void guard(
      Target target,
      OnceFilter guard,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    try {
      guard.doFilter(request, response, chain);
    } catch (NoSpaceException e) {
      refuse(GatewayProblem.NO_SPACE, target, response);
    } catch (IOException e) {
      if (!SlowBodyException.isCauseOf(e) || response.isCommitted()) {
        throw e;
      }
      refuse(GatewayProblem.BODY_TOO_SLOW, target, response);
    }
  }

  /** Refuses a request whose body did not arrive: nothing has been claimed for it. */
  private static void refuse(GatewayProblem problem, Target target, HttpServletResponse response)
      throws IOException {
    Answers.write(
        problem.answer(
            target.http().contract(), "nothing was sent: send the same request again, but later"),
        response);
  }
}
