package dev.once.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended: with an answer, or without one.
 *
 * @param answer empty if there was none
 * @param failure why there was none
 * @param isSent whether a part of the request may have reached the server
 */
record AttemptOutcome(Optional<Answer> answer, Optional<String> failure, boolean isSent) {
  private static final int MAX_CAUSES = 20;

  /** Errors of a server that has executed nothing. */
  private static final Set<String> NOT_EXECUTED =
      Set.of(
          "idempotency.store_unavailable",
          "IDEMPOTENCY_STORE_UNAVAILABLE",
          "idempotency_store_unavailable",
          "circuit.open",
          "CIRCUIT_OPEN",
          "circuit_open");

  static AttemptOutcome answered(Answer answer) {
    return new AttemptOutcome(Optional.of(answer), Optional.empty(), true);
  }

  /** Returns the outcome of an attempt that threw. */
  static AttemptOutcome failed(IOException failure) {
    String reason = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return new AttemptOutcome(
        Optional.empty(),
        Optional.of(message == null || message.isEmpty() ? reason : reason + ": " + message),
        !isBeforeSending(failure));
  }

  private static boolean isBeforeSending(IOException failure) {
    @Nullable Throwable it = failure;
    for (int depth = 0; it != null && depth < MAX_CAUSES; depth++) {
      if (it instanceof ConnectException
          || it instanceof HttpConnectTimeoutException
          || it instanceof UnknownHostException
          || it instanceof UnresolvedAddressException
          || it instanceof SSLHandshakeException) {
        return true;
      }
      it = it.getCause();
    }
    return false;
  }

  /** Returns whether a failure of the application is one of the network that it uses. */
  static boolean isOfTheNetwork(Throwable failure) {
    @Nullable Throwable it = failure;
    for (int depth = 0; it != null && depth < MAX_CAUSES; depth++) {
      if (it instanceof IOException) {
        return true;
      }
      it = it.getCause();
    }
    return false;
  }

  /** Returns the status and the code of the answer, or why there is none. */
  String describe() {
    return answer
        .map(it -> it.status() + it.code().map(code -> " " + code).orElse(""))
        .orElseGet(() -> failure.orElse("no answer"));
  }

  /** Returns whether the operation may have taken effect, although it has no final answer. */
  boolean mayHaveTakenEffect() {
    return isSent
        && answer
            .map(
                it ->
                    (it.status() >= 500 && it.code().filter(NOT_EXECUTED::contains).isEmpty())
                        || it.status() == 202
                        || it.status() == 409)
            .orElse(true);
  }
}
