package dev.once.examples.planning;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Answers requests that the filter chain refuses, with a problem. */
@Component
class SecurityProblems implements AuthenticationEntryPoint, AccessDeniedHandler {
  private final JsonMapper json;

  SecurityProblems(JsonMapper json) {
    this.json = json;
  }

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException cause)
      throws IOException {
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challengeAfter(cause));
    write(
        response,
        Problem.of(
            ProblemCode.UNAUTHENTICATED, "Send Authorization: Bearer with a token that is valid."));
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException cause)
      throws IOException {
    write(response, Problem.of(ProblemCode.FORBIDDEN, "The token's role does not allow this."));
  }

  /** Distinguishes a refused token from a missing one, as RFC 6750 requires. */
  private static String challengeAfter(AuthenticationException cause) {
    return cause instanceof OAuth2AuthenticationException refused
        ? "Bearer error=\"" + refused.getError().getErrorCode() + "\""
        : "Bearer";
  }

  private void write(HttpServletResponse response, ProblemDetail problem) throws IOException {
    response.setStatus(problem.getStatus());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.getOutputStream().write(json.writeValueAsBytes(problem));
  }
}
