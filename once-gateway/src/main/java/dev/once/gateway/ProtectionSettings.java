package dev.once.gateway;

import dev.once.Recovery;
import dev.once.Terms;
import dev.once.http.Contract;

/**
 * What happens to requests, unless their route differs.
 *
 * @param contract the contract of all writes
 * @param terms the contract's times and sizes, with the recovery of the gateway
 * @param unrouted what happens to writes without a route
 * @param mode whether duplicates are stopped or only counted
 */
record ProtectionSettings(Contract contract, Terms terms, Unrouted unrouted, Mode mode) {
  /** What happens to writes without a route. */
  enum Unrouted {
    /** They are guarded as one route, whose keys are unique over all paths. */
    PROTECT,
    /** They are refused. */
    REFUSE,
    /** They pass untouched. */
    PASS
  }

  /** Whether duplicates are stopped. */
  enum Mode {
    ENFORCE,
    /** Nothing is stopped, and metrics count what would have been. */
    REPORT
  }

  static ProtectionSettings of(Contract contract) {
    return new ProtectionSettings(contract, terms(contract), Unrouted.PROTECT, Mode.ENFORCE);
  }

  /** A gateway cannot commit with its upstream, so it asks before it sends anything again. */
  static Terms terms(Contract contract) {
    return contract.terms().withRecovery(Recovery.ASK);
  }

  ProtectionSettings withMode(Mode mode) {
    return new ProtectionSettings(contract, terms, unrouted, mode);
  }
}
