package dev.once.spring;

import dev.once.NoAnswerException;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.RefusedException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Answers the refusals that handlers throw, in the format of the contract. */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class RefusalAdvice {
  private final HttpOnce http;

  RefusalAdvice(HttpOnce http) {
    this.http = http;
  }

  @ExceptionHandler
  ResponseEntity<byte[]> refuse(RefusedException refused) {
    return response(http.refuse(refused));
  }

  /** Answers for an {@link Idempotent} bean that a handler calls. */
  @ExceptionHandler
  ResponseEntity<byte[]> refuse(NoAnswerException refused) {
    return response(http.refuse(refused));
  }

  private static ResponseEntity<byte[]> response(HttpAnswer answer) {
    HttpHeaders headers = new HttpHeaders();
    answer.headers().list().forEach(it -> headers.add(it.name(), it.value()));
    return new ResponseEntity<>(answer.bytes(), headers, answer.status());
  }
}
