package dev.once.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The providers that Once knows, as data. */
final class Presets {
  private static final String JSON = "application/json";
  private static final List<String> POST = List.of("POST");
  private static final String HUB_SIGNATURE = "X-Hub-Signature-256";
  private static final String HUB_PREFIX = "sha256=";

  private Presets() {}

  static Provider whatsApp(String tenant, String appSecret, String verifyToken) {
    Draft draft = new Draft("whatsapp", tenant, hub(appSecret)::verify, new WhatsAppItems());
    draft.challenge = Optional.of(new HubChallenge(verifyToken));
    draft.admission = new Admission(List.of("GET", "POST"), List.of(JSON), 3 << 20);
    draft.maxItems = 1000;
    return new Provider(draft);
  }

  static Provider mtnMomo(String tenant) {
    Draft draft = new Draft("momo", tenant, Signing.none()::verify, new MomoItems());
    draft.admission = new Admission(List.of("PUT", "POST"), List.of(JSON), 64 << 10);
    draft.mustBeConfirmed = true;
    return new Provider(draft);
  }

  static Provider standardWebhooks(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
            Source.header(StandardSignature.ID),
            Source.at("/type"),
            Source.nowhere(),
            Optional.empty());
    StandardSignature signature = new StandardSignature(secrets);
    return new Provider(new Draft("standard-webhooks", tenant, signature, events));
  }

  static Provider stripe(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
            Source.at("/id"), Source.at("/type"), Source.at("/account"), Optional.empty());
    Draft draft = new Draft("stripe", tenant, new StripeSignature(secrets), events);
    draft.retention = Duration.ofDays(16); // A person can have an event sent again for 15.
    return new Provider(draft);
  }

  static Provider gitHub(String tenant, String... secrets) {
    EventItems events =
        new EventItems(
            Source.header("x-github-delivery"),
            Source.header("x-github-event"),
            Source.at("/installation/id"),
            Optional.empty());
    Extraction extraction = delivery -> events.items(FormPayload.unwrap(delivery));
    Draft draft = new Draft("github", tenant, hub(secrets)::verify, extraction);
    draft.admission =
        new Admission(POST, List.of(JSON, FormPayload.MEDIA_TYPE), Envelope.MAX_DATA_BYTES);
    return new Provider(draft);
  }

  static Provider custom(String name, String tenant, Signing signing, Fields fields) {
    Draft draft = new Draft(name, tenant, signing::verify, fields.extraction(signing));
    draft.mustBeConfirmed = signing.isNone();
    return new Provider(draft);
  }

  private static Signing hub(String... secrets) {
    return Signing.hmacSha256(HUB_SIGNATURE, secrets).withPrefix(HUB_PREFIX);
  }
}
