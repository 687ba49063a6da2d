package dev.once.examples.planning;

import dev.once.StoreException;
import dev.once.servlet.CurrentExecution;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Converts every failure into a problem with a code.
 *
 * <p>A {@link Refusal} contains its problem. An unexpected failure is logged, only here, and not
 * disclosed to the client: no SQL, stack trace or class name leaves the service.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final String RETRY_SECONDS = "1";

  /**
   * Answers when the database is unavailable or overloaded, or two transactions conflicted. The
   * request was rolled back, so its key is released, even by contracts that keep every answer: they
   * would otherwise replay "busy" for a day.
   */
  @ExceptionHandler({
    CannotCreateTransactionException.class,
    DataAccessResourceFailureException.class,
    StoreException.class,
    TransientDataAccessException.class
  })
  ResponseEntity<ProblemDetail> answerUnavailable(Exception cause, HttpServletRequest request) {
    CurrentExecution.refuse(request);
    LOG.warn("the database did not serve a request", cause);
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .body(
            Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE, "The database is busy. Try again in a moment."));
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> answerUnforeseen(Exception cause) {
    LOG.error("a request failed", cause);
    return ResponseEntity.internalServerError()
        .body(
            Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "This is our fault. X-Request-ID names the request in our log."));
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
      MethodArgumentNotValidException cause,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return answer(Violations.of(cause), request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
      HandlerMethodValidationException cause,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return answer(Violations.of(cause), request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException cause,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return answer(Violations.of(cause), request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleTypeMismatch(
      TypeMismatchException cause, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    return answer(Violations.of(cause), request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
      MissingServletRequestParameterException cause,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return answer(Refusal.invalid(cause.getParameterName(), "is required"), request);
  }

  /** Adds codes to the problems that the framework creates, by their status. */
  @Override
  protected ResponseEntity<Object> createResponseEntity(
      @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    if (body instanceof ProblemDetail problem && problem.getProperties() == null) {
      Problem.name(problem, Problem.codeOf(status));
    }
    return super.createResponseEntity(body, headers, status, request);
  }

  private @Nullable ResponseEntity<Object> answer(Refusal refusal, WebRequest request) {
    return handleErrorResponseException(
        refusal, refusal.getHeaders(), refusal.getStatusCode(), request);
  }
}
