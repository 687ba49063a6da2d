package dev.once.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what to change instead of a stack trace. */
final class MisconfiguredAnalyzer extends AbstractFailureAnalyzer<MisconfiguredException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, MisconfiguredException cause) {
    return new FailureAnalysis("Once: " + cause.getMessage(), cause.action(), cause);
  }
}
