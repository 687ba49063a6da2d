package dev.once.spring;

import dev.once.Terms;
import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.spring.OnceProperties.RouteChange;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Builds routes: as the contract says, changed by annotations and then by properties. */
final class RouteSettings {
  private final Contract contract;
  private final Route.Mode defaultMode;

  RouteSettings(Contract contract, Route.Mode defaultMode) {
    this.contract = contract;
    this.defaultMode = defaultMode;
  }

  /** Returns the route of a handler without settings of its own. */
  Route route(String template) {
    return Route.of(template, defaultMode);
  }

  /** Returns the route of a handler with its annotations, of which the later ones count more. */
  Route route(String template, List<Idempotent> annotations) {
    Route route = route(template);
    for (Idempotent annotation : annotations) {
      route = changed(route, change(annotation));
    }
    return route;
  }

  /** Returns the terms of a bean's method that is {@link Idempotent}. */
  static Terms terms(Terms terms, Idempotent annotation) {
    return changed(terms, change(annotation));
  }

  /** Returns how a bean's method that is {@link Idempotent} is executed. */
  static Route.Mode mode(Idempotent annotation, Route.Mode otherwise) {
    Route.Mode mode = mode(annotation);
    return mode == null ? otherwise : mode;
  }

  /** Returns a route with the changes of its settings, which choose it too. */
  Route changed(Route route, RouteChange change) {
    Route changed = route.withChosen(true);
    if (change.mode() != null) {
      changed = changed.withMode(change.mode());
    }
    if (change.keyRequired() != null) {
      changed = changed.withKeyRequired(change.keyRequired());
    }
    if (change.scopeRule() != null) {
      changed = changed.withScope(change.scopeRule());
    }
    if (change.comparedHeaders() != null) {
      changed = changed.withComparedHeaders(change.comparedHeaders());
    }
    Terms before = route.terms().orElse(contract.terms());
    Terms after = changed(before, change);
    return after.equals(before) ? changed : changed.withTerms(after);
  }

  private static Terms changed(Terms terms, RouteChange change) {
    if (change.lease() != null) {
      terms = terms.withLease(change.lease());
    }
    if (change.maxWait() != null) {
      terms = terms.withMaxWait(change.maxWait());
    }
    if (change.recovery() != null) {
      terms = terms.withRecovery(change.recovery());
    }
    return ContractSettings.retention(terms, change.retention(), change.failedRetention());
  }

  private static RouteChange change(Idempotent annotation) {
    return new RouteChange(
        "/**",
        Set.of(),
        mode(annotation),
        keyRequired(annotation.keyIs()),
        only("scopeRule", annotation.scopeRule()),
        annotation.comparedHeaders().length == 0 ? null : Set.of(annotation.comparedHeaders()),
        duration(annotation.lease()),
        duration(annotation.retention()),
        duration(annotation.failedRetention()),
        duration(annotation.maxWait()),
        only("recovery", annotation.recovery()));
  }

  private static Route.@Nullable Mode mode(Idempotent annotation) {
    return switch (annotation.mode()) {
      case DEFAULT -> null;
      case LEASED -> Route.Mode.LEASED;
      case TRANSACTIONAL -> Route.Mode.TRANSACTIONAL;
    };
  }

  private static @Nullable Boolean keyRequired(Idempotent.KeyIs keyIs) {
    return switch (keyIs) {
      case AS_THE_CONTRACT_SAYS -> null;
      case REQUIRED -> true;
      case OPTIONAL -> false;
    };
  }

  private static <T> @Nullable T only(String name, T[] values) {
    if (values.length > 1) {
      throw new IllegalArgumentException(name + " must have one value, got " + values.length);
    }
    return values.length == 0 ? null : values[0];
  }

  private static @Nullable Duration duration(String text) {
    return text.isEmpty() ? null : DurationStyle.detectAndParse(text);
  }
}
