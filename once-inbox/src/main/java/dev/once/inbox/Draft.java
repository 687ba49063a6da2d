package dev.once.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A provider in the making; left alone once {@link Provider} has it. */
final class Draft {
  /** What Standard Webhooks and Stripe use. */
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** A day more than Meta tries, and twice as long as Standard Webhooks asks senders to. */
  private static final Duration RETENTION = Duration.ofDays(8);

  String name;
  Tenants tenants;
  Verification verification;
  Extraction extraction;
  Admission admission =
      new Admission(List.of("POST"), List.of("application/json"), Envelope.MAX_DATA_BYTES);
  Optional<HubChallenge> challenge = Optional.empty();
  Optional<PathToken> pathToken = Optional.empty();
  int maxItems = 1;
  Duration tolerance = TOLERANCE;
  Duration retention = RETENTION;
  boolean mustBeConfirmed;
  boolean keepsBody;

  Draft(String name, String tenant, Verification verification, Extraction extraction) {
    this.name = name;
    this.tenants = new Tenants(tenant, Map.of());
    this.verification = verification;
    this.extraction = extraction;
  }

  Draft(Draft other) {
    this.name = other.name;
    this.tenants = other.tenants;
    this.verification = other.verification;
    this.extraction = other.extraction;
    this.admission = other.admission;
    this.challenge = other.challenge;
    this.pathToken = other.pathToken;
    this.maxItems = other.maxItems;
    this.tolerance = other.tolerance;
    this.retention = other.retention;
    this.mustBeConfirmed = other.mustBeConfirmed;
    this.keepsBody = other.keepsBody;
  }
}
