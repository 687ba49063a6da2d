package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class DispatchTrackerTest {
  private static final AsyncContext CONTAINER =
      (AsyncContext)
          Proxy.newProxyInstance(
              DispatchTrackerTest.class.getClassLoader(),
              new Class<?>[] {AsyncContext.class},
              (proxy, method, arguments) -> null);

  private final DispatchTracker dispatches = new DispatchTracker();

  @Test
  void belongsToAHandlerThatIsDoneUntilItsAnswerIsKept() {
    goAsynchronous();

    assertThat(dispatches.complete(CONTAINER)).isEqualTo(DispatchTracker.Completion.NOW);
    assertThat(dispatches.isFinishing()).isTrue();
    dispatches.finished();
    assertThat(dispatches.isFinishing()).isFalse();
  }

  @Test
  void belongsToTheDispatchInWhichItsHandlerIsDone() {
    dispatches.begin();
    dispatches.asyncStarted();

    assertThat(dispatches.complete(CONTAINER)).isEqualTo(DispatchTracker.Completion.IN_DISPATCH);
    assertThat(dispatches.isFinishing()).isFalse();
  }

  @Test
  void belongsToTheContainerThatGaveUpFirst() {
    goAsynchronous();

    assertThat(dispatches.giveUp()).isTrue();
    assertThat(dispatches.complete(CONTAINER)).isEqualTo(DispatchTracker.Completion.TOO_LATE);
    assertThat(dispatches.isFinishing()).isFalse();
  }

  @Test
  void mayBeRunningInADispatchThatAnswersATimeout() {
    goAsynchronous();
    dispatches.notAwaited();

    dispatches.begin();
    dispatches.end();

    assertThat(dispatches.mayBeRunning()).isTrue();
    assertThat(dispatches.giveUp()).isTrue();
  }

  @Test
  void isNotRunningIfItCompletedBeforeTheTimeout() {
    goAsynchronous();
    dispatches.complete(CONTAINER);

    dispatches.notAwaited();

    assertThat(dispatches.mayBeRunning()).isFalse();
  }

  private void goAsynchronous() {
    dispatches.begin();
    dispatches.asyncStarted();
    dispatches.end();
  }
}
