package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final AsyncContext CONTAINER =
      (AsyncContext)
          Proxy.newProxyInstance(
              TurnsTest.class.getClassLoader(),
              new Class<?>[] {AsyncContext.class},
              (proxy, method, arguments) -> null);

  private final Turns turns = new Turns();

  @Test
  void belongsToAHandlerThatIsDoneUntilItsAnswerIsKept() {
    goAsynchronous();

    assertThat(turns.complete(CONTAINER)).isEqualTo(Turns.Completion.NOW);
    assertThat(turns.isFinishing()).isTrue();
    turns.finished();
    assertThat(turns.isFinishing()).isFalse();
  }

  @Test
  void belongsToTheDispatchInWhichItsHandlerIsDone() {
    turns.begin();
    turns.asyncStarted();

    assertThat(turns.complete(CONTAINER)).isEqualTo(Turns.Completion.IN_DISPATCH);
    assertThat(turns.isFinishing()).isFalse();
  }

  @Test
  void belongsToTheContainerThatGaveUpFirst() {
    goAsynchronous();

    assertThat(turns.giveUp()).isTrue();
    assertThat(turns.complete(CONTAINER)).isEqualTo(Turns.Completion.TOO_LATE);
    assertThat(turns.isFinishing()).isFalse();
  }

  private void goAsynchronous() {
    turns.begin();
    turns.asyncStarted();
    turns.end();
  }
}
