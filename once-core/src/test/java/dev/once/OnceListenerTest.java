package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OnceListenerTest {
  private static final Request<@Nullable String> REQUEST =
      Request.of(new Key("acme", "mail", "1"), Codec.text());

  private final List<Throwable> uncaught = new ArrayList<>();

  @BeforeEach
  void listen() {
    Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
  }

  @AfterEach
  void stopListening() {
    Thread.currentThread().setUncaughtExceptionHandler(null);
  }

  @Test
  void changesNothingByThrowing() {
    RuntimeException failure = new IllegalStateException("listener");
    try (Once once = engineWhoseListenerThrows(failure)) {
      Result<@Nullable String> first = once.run(REQUEST, execution -> "sent");
      Result<@Nullable String> second = once.run(REQUEST, execution -> "sent again");

      assertThat(first).isEqualTo(new Result.Executed<>(REQUEST.key(), "sent"));
      assertThat(second).isEqualTo(new Result.Replayed<>(REQUEST.key(), "sent", Headers.NONE));
    }
    assertThat(uncaught).containsExactly(failure, failure, failure);
  }

  @Test
  void changesNothingByThrowingAnError() {
    Error failure = new NoClassDefFoundError("listener");
    try (Once once = engineWhoseListenerThrows(failure)) {
      Result<@Nullable String> first = once.run(REQUEST, execution -> "sent");

      assertThat(first).isEqualTo(new Result.Executed<>(REQUEST.key(), "sent"));
    }
    assertThat(uncaught).containsExactly(failure, failure);
  }

  @Test
  void hidesNoExceptionOfTheEffect() {
    IOException thrown = new IOException("effect");
    try (Once once = engineWhoseListenerThrows(new IllegalStateException("listener"))) {
      assertThatThrownBy(
              () ->
                  once.run(
                      REQUEST,
                      execution -> {
                        throw thrown;
                      }))
          .isSameAs(thrown)
          .hasNoSuppressedExceptions();
    }
  }

  private static Once engineWhoseListenerThrows(Throwable failure) {
    return Once.over(
        new InMemoryRecordStore(),
        event -> {
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        });
  }
}
