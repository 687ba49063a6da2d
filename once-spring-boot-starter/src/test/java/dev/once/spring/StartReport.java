package dev.once.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Records the analysis that Boot reports if an application cannot start. */
final class StartReport implements FailureAnalysisReporter {
  private static @Nullable FailureAnalysis last;

  @Override
  public void report(FailureAnalysis analysis) {
    last = analysis;
  }

  /** Description and action, as Boot shows them. */
  static String ofStarting(Class<?> application, List<String> settings) {
    last = null;
    Throwable failure = catchThrowable(() -> App.run(application, settings).close());
    if (last == null) {
      throw new AssertionError("the start was not refused with an analysis", failure);
    }
    return last.getDescription() + "\n" + requireNonNull(last.getAction());
  }
}
