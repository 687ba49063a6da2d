package dev.once.examples.planning;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers requests that failed before they reached a controller, in a filter or in the server. */
@Hidden
@RestController
class ErrorPage implements ErrorController {
  @RequestMapping("/error")
  ResponseEntity<ProblemDetail> error(HttpServletRequest request) throws Exception {
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Exception failure) {
      // Rethrown so that Problems handles it: an unavailable database is a 503 here too.
      throw failure;
    }
    HttpStatus status = statusOf(request);
    return ResponseEntity.status(status)
        .body(Problem.of(status, "The server refuses this request."));
  }

  private static HttpStatus statusOf(HttpServletRequest request) {
    Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    HttpStatus status = code instanceof Integer it ? HttpStatus.resolve(it) : null;
    return status == null ? HttpStatus.INTERNAL_SERVER_ERROR : status;
  }
}
