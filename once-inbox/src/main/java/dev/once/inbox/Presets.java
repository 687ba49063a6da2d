package dev.once.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/** The configurations of providers; those that came later are in {@link OtherPresets}. */
final class Presets {
  static final String JSON = "application/json";
  static final List<String> POST = List.of("POST");
  private static final String HUB_SIGNATURE = "X-Hub-Signature-256";
  private static final String HUB_PREFIX = "sha256=";

  /** How long Meta sends a delivery again. */
  private static final Duration META_RETRIES = Duration.ofDays(7);

  private Presets() {}

  static Provider whatsApp(String tenant, String verifyToken, String... appSecrets) {
    ProviderSettings settings =
        new ProviderSettings("whatsapp", tenant, hub(appSecrets)::verify, new WhatsAppItems());
    settings.challenge = Optional.of(new HubChallenge(verifyToken));
    settings.conditions = new RequestConditions(List.of("GET", "POST"), List.of(JSON), 3 << 20);
    settings.maxItems = 1000;
    settings.horizon = Optional.of(META_RETRIES);
    return new Provider(settings);
  }

  static Provider mtnMomo(String tenant) {
    ProviderSettings settings =
        new ProviderSettings("momo", tenant, Signing.none()::verify, new MomoItems());
    settings.conditions =
        new RequestConditions(List.of("PUT", "POST"), List.of(RequestConditions.ANY), 64 << 10);
    settings.mustBeConfirmed = true;
    return new Provider(settings);
  }

  static Provider stripe(String tenant, String... secrets) {
    Signing signing =
        Signing.hmacSha256("Stripe-Signature", secrets)
            .withSeparator(",")
            .withPrefix("v1=")
            .withTimestampElement("t=");
    EventItems events =
        new EventItems(
                FieldSource.at("/id"),
                FieldSource.at("/type"),
                FieldSource.at("/account"),
                Optional.empty())
            .withVolatile(List.of(JsonPointer.compile("/pending_webhooks")));
    ProviderSettings settings = new ProviderSettings("stripe", tenant, signing::verify, events);
    settings.retention = Duration.ofDays(16); // Stripe resends on manual request for 15.
    return new Provider(settings);
  }

  static Provider gitHub(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
                FieldSource.header("x-github-delivery"),
                (delivery, json) ->
                    delivery.header("x-github-event").map(it -> GitHubEvents.typeOf(it, json)),
                FieldSource.at("/installation/id"),
                Optional.empty())
            .withUnsignedId(FieldSource.nowhere());
    Extraction extraction = delivery -> events.items(FormPayload.unwrap(delivery));
    ProviderSettings settings =
        new ProviderSettings("github", tenant, hub(secrets)::verify, extraction);
    settings.conditions =
        new RequestConditions(POST, List.of(JSON, FormFields.MEDIA_TYPE), Envelope.MAX_DATA_BYTES);
    return new Provider(settings);
  }

  static Provider custom(String name, String tenant, Signing signing, Fields fields) {
    ProviderSettings settings =
        new ProviderSettings(name, tenant, signing.checked()::verify, fields.extraction(signing));
    settings.mustBeConfirmed = signing.isNone();
    return new Provider(settings);
  }

  private static Signing hub(String... secrets) {
    return Signing.hmacSha256(HUB_SIGNATURE, secrets).withPrefix(HUB_PREFIX);
  }
}
