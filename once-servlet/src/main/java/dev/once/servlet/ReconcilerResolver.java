package dev.once.servlet;

import dev.once.Reconciler;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Determines what finds out whether a leased operation took effect, if its outcome is unknown. */
@FunctionalInterface
public interface ReconcilerResolver {
  /** Leaves it to an operator. */
  ReconcilerResolver NONE = (operation, request) -> Optional.empty();

  /** Returns the reconciler; if there is none, the key stays uncertain. */
  Optional<Reconciler<HttpAnswer>> reconciler(HttpOperation operation, HttpServletRequest request);
}
