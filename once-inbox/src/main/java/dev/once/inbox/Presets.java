package dev.once.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The configurations of the providers that Once knows. */
final class Presets {
  private static final String JSON = "application/json";
  private static final List<String> POST = List.of("POST");
  private static final String HUB_SIGNATURE = "X-Hub-Signature-256";
  private static final String HUB_PREFIX = "sha256=";

  private Presets() {}

  static Provider whatsApp(String tenant, String appSecret, String verifyToken) {
    ProviderSettings settings =
        new ProviderSettings("whatsapp", tenant, hub(appSecret)::verify, new WhatsAppItems());
    settings.challenge = Optional.of(new HubChallenge(verifyToken));
    settings.conditions = new RequestConditions(List.of("GET", "POST"), List.of(JSON), 3 << 20);
    settings.maxItems = 1000;
    return new Provider(settings);
  }

  static Provider mtnMomo(String tenant) {
    ProviderSettings settings =
        new ProviderSettings("momo", tenant, Signing.none()::verify, new MomoItems());
    settings.conditions = new RequestConditions(List.of("PUT", "POST"), List.of(JSON), 64 << 10);
    settings.mustBeConfirmed = true;
    return new Provider(settings);
  }

  static Provider standardWebhooks(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
            FieldSource.header(StandardSignature.ID),
            FieldSource.at("/type"),
            FieldSource.nowhere(),
            Optional.empty());
    StandardSignature signature = new StandardSignature(secrets);
    return new Provider(new ProviderSettings("standard-webhooks", tenant, signature, events));
  }

  static Provider stripe(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
            FieldSource.at("/id"),
            FieldSource.at("/type"),
            FieldSource.at("/account"),
            Optional.empty());
    ProviderSettings settings =
        new ProviderSettings("stripe", tenant, new StripeSignature(secrets), events);
    settings.retention = Duration.ofDays(16); // Stripe resends on manual request for 15.
    return new Provider(settings);
  }

  static Provider gitHub(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
            FieldSource.header("x-github-delivery"),
            FieldSource.header("x-github-event"),
            FieldSource.at("/installation/id"),
            Optional.empty());
    Extraction extraction = delivery -> events.items(FormPayload.unwrap(delivery));
    ProviderSettings settings =
        new ProviderSettings("github", tenant, hub(secrets)::verify, extraction);
    settings.conditions =
        new RequestConditions(POST, List.of(JSON, FormPayload.MEDIA_TYPE), Envelope.MAX_DATA_BYTES);
    return new Provider(settings);
  }

  static Provider custom(String name, String tenant, Signing signing, Fields fields) {
    ProviderSettings settings =
        new ProviderSettings(name, tenant, signing::verify, fields.extraction(signing));
    settings.mustBeConfirmed = signing.isNone();
    return new Provider(settings);
  }

  private static Signing hub(String... secrets) {
    return Signing.hmacSha256(HUB_SIGNATURE, secrets).withPrefix(HUB_PREFIX);
  }
}
