package dev.once.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The settings of a provider under construction; not changed once {@link Provider} has them. */
final class ProviderSettings {
  /** The tolerance of Standard Webhooks and Stripe. */
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** One day longer than Meta retries, and twice as long as Standard Webhooks advises to retry. */
  private static final Duration RETENTION = Duration.ofDays(8);

  String name;
  AccountTenants tenants;
  Verification verification;
  Extraction extraction;
  RequestConditions conditions =
      new RequestConditions(List.of("POST"), List.of("application/json"), Envelope.MAX_DATA_BYTES);
  Optional<HubChallenge> challenge = Optional.empty();
  Optional<PathToken> pathToken = Optional.empty();
  int maxItems = 1;
  Duration tolerance = TOLERANCE;
  Duration retention = RETENTION;
  Optional<Duration> horizon = Optional.empty();
  Function<Delivery, Optional<WebhookResponse>> greeting = delivery -> Optional.empty();
  boolean mustBeConfirmed;
  boolean keepsBody;

  ProviderSettings(String name, String tenant, Verification verification, Extraction extraction) {
    this.name = name;
    this.tenants = new AccountTenants(tenant, Map.of());
    this.verification = verification;
    this.extraction = extraction;
  }

  ProviderSettings(ProviderSettings other) {
    this.name = other.name;
    this.tenants = other.tenants;
    this.verification = other.verification;
    this.extraction = other.extraction;
    this.conditions = other.conditions;
    this.challenge = other.challenge;
    this.pathToken = other.pathToken;
    this.maxItems = other.maxItems;
    this.tolerance = other.tolerance;
    this.retention = other.retention;
    this.horizon = other.horizon;
    this.greeting = other.greeting;
    this.mustBeConfirmed = other.mustBeConfirmed;
    this.keepsBody = other.keepsBody;
  }
}
