package dev.once.gateway;

import dev.once.http.Contract;
import dev.once.http.Route;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One operation of a service.
 *
 * @param method its method
 * @param route its path template and what differs from the contract
 * @param contract its contract
 * @param isGuarded whether it is guarded; it passes untouched otherwise
 * @param doesNothing the statuses by which the service says that it did nothing
 * @param probe how the outcome of a lost answer is found out; an operator decides without one
 */
record RouteSettings(
    String method,
    Route route,
    Contract contract,
    boolean isGuarded,
    Set<Integer> doesNothing,
    Optional<ProbeSettings> probe) {
  /** The caller, the time or the state of the service is refused, not the request itself. */
  static final Set<Integer> DOES_NOTHING = Set.of(401, 403, 408, 421, 425, 429, 503);

  RouteSettings {
    Set<String> methods = contract.coverage().methods();
    if (!methods.contains(method)) {
      throw new SettingsException(
          "method must be one that contract %s covers, %s, got %s"
              .formatted(contract.name(), String.join(", ", new TreeSet<>(methods)), method));
    }
    doesNothing = Set.copyOf(doesNothing);
  }
}
