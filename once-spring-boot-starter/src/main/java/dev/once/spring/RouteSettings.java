package dev.once.spring;

import dev.once.Recovery;
import dev.once.Terms;
import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.http.ScopeRule;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Builds routes: as the contract says, changed by an annotation and then by properties. */
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

  /** Returns the route of a handler that is {@link Idempotent}. */
  Route route(String template, Idempotent annotation) {
    Route route = Route.of(template, mode(annotation, defaultMode)).withChosen(true);
    return changed(route, changes(annotation));
  }

  /** Returns the terms of a bean's method that is {@link Idempotent}. */
  static Terms terms(Terms terms, Idempotent annotation) {
    return changes(annotation).terms(terms);
  }

  private static Changes changes(Idempotent annotation) {
    return new Changes(
        keyRequired(annotation.keyIs()),
        only("scopeRule", annotation.scopeRule()),
        annotation.comparedHeaders().length == 0 ? null : Set.of(annotation.comparedHeaders()),
        duration(annotation.lease()),
        duration(annotation.retention()),
        duration(annotation.failedRetention()),
        duration(annotation.maxWait()),
        only("recovery", annotation.recovery()));
  }

  /** Returns a route with the changes of the settings, which choose it too. */
  Route changed(Route route, OnceProperties.RouteChange change) {
    Route.Mode mode = change.mode() == null ? route.mode() : change.mode();
    return changed(
        route.withMode(mode).withChosen(true),
        new Changes(
            change.keyRequired(),
            change.scopeRule(),
            change.comparedHeaders(),
            change.lease(),
            change.retention(),
            change.failedRetention(),
            change.maxWait(),
            change.recovery()));
  }

  static Route.Mode mode(Idempotent settings, Route.Mode otherwise) {
    return switch (settings.mode()) {
      case DEFAULT -> otherwise;
      case LEASED -> Route.Mode.LEASED;
      case TRANSACTIONAL -> Route.Mode.TRANSACTIONAL;
    };
  }

  private Route changed(Route route, Changes changes) {
    if (changes.keyRequired != null) {
      route = route.withKeyRequired(changes.keyRequired);
    }
    if (changes.scopeRule != null) {
      route = route.withScope(changes.scopeRule);
    }
    if (changes.comparedHeaders != null) {
      route = route.withComparedHeaders(changes.comparedHeaders);
    }
    Terms before = route.terms().orElse(contract.terms());
    Terms after = changes.terms(before);
    return after.equals(before) ? route : route.withTerms(after);
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

  /** What a route changes; null where it changes nothing. */
  private record Changes(
      @Nullable Boolean keyRequired,
      @Nullable ScopeRule scopeRule,
      @Nullable Set<String> comparedHeaders,
      @Nullable Duration lease,
      @Nullable Duration retention,
      @Nullable Duration failedRetention,
      @Nullable Duration maxWait,
      @Nullable Recovery recovery) {
    Terms terms(Terms terms) {
      if (lease != null) {
        terms = terms.withLease(lease);
      }
      if (maxWait != null) {
        terms = terms.withMaxWait(maxWait);
      }
      if (recovery != null) {
        terms = terms.withRecovery(recovery);
      }
      return ContractSettings.retention(terms, retention, failedRetention);
    }
  }
}
