package dev.once.inbox;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The configurations of more providers: nothing but data over {@link Signing}. */
final class OtherPresets {
  private OtherPresets() {}

  static Provider standardWebhooks(String tenant, String... keys) {
    String[] secrets = Arrays.stream(keys).filter(it -> !isPublic(it)).toArray(String[]::new);
    String[] publicKeys = Arrays.stream(keys).filter(OtherPresets::isPublic).toArray(String[]::new);
    List<Verification> versions = new ArrayList<>();
    if (secrets.length > 0 || publicKeys.length == 0) {
      versions.add(v1("webhook", secrets)::verify);
    }
    if (publicKeys.length > 0) {
      versions.add(v1a(publicKeys)::verify);
    }
    return standard("standard-webhooks", tenant, "webhook", Verification.anyOf(versions));
  }

  static Provider svix(String tenant, String... secrets) {
    return standard("svix", tenant, "svix", v1("svix", secrets)::verify);
  }

  static Provider slack(String tenant, String... secrets) {
    Signing signing =
        Signing.hmacSha256("X-Slack-Signature", secrets)
            .withPrefix("v0=")
            .withTimestamp("X-Slack-Request-Timestamp")
            .over("v0:{timestamp}:{body}");
    EventItems events =
        new EventItems(
            FieldSource.at("/event_id").usable(ItemId.MAX_CHARS).or(signing.digest()),
            FieldSource.at("/event/type").or(FieldSource.at("/type")),
            FieldSource.at("/team_id"),
            Optional.empty());
    ProviderSettings settings = new ProviderSettings("slack", tenant, signing::verify, events);
    settings.conditions = jsonOrForm();
    settings.greeting = SlackChallenge::answer;
    return new Provider(settings);
  }

  static Provider shopify(String tenant, String... secrets) {
    FieldSource topic = FieldSource.header("x-shopify-topic");
    EventItems events =
        new EventItems(
                FieldSource.header("x-shopify-webhook-id"),
                topic,
                FieldSource.nowhere(),
                Optional.empty())
            .withUnsignedId(topic);
    Signing signing = Signing.hmacSha256("X-Shopify-Hmac-Sha256", secrets).inBase64();
    return new Provider(new ProviderSettings("shopify", tenant, signing::verify, events));
  }

  static Provider twilio(String tenant, String url, String... tokens) {
    Signing signing =
        Signing.hmacSha1("X-Twilio-Signature", tokens).inBase64().over(new TwilioContent(url));
    EventItems events =
        new EventItems(
            signing.digest(),
            FieldSource.at("/MessageStatus").or(FieldSource.at("/CallStatus")),
            FieldSource.at("/AccountSid"),
            Optional.empty());
    ProviderSettings settings = new ProviderSettings("twilio", tenant, signing::verify, events);
    settings.conditions = jsonOrForm();
    return new Provider(settings);
  }

  static Provider payPal(String tenant, String webhookId, String... certificates) {
    Signing signing =
        Signing.rsaSha256("PayPal-Transmission-Sig", certificates)
            .over(
                "{header:paypal-transmission-id}|{header:paypal-transmission-time}|"
                    + checkedId(webhookId)
                    + "|{crc32}");
    EventItems events =
        new EventItems(
            FieldSource.at("/id"),
            FieldSource.at("/event_type"),
            FieldSource.nowhere(),
            Optional.empty());
    return new Provider(new ProviderSettings("paypal", tenant, signing::verify, events));
  }

  private static Provider standard(
      String name, String tenant, String headers, Verification verification) {
    EventItems events =
        new EventItems(
            FieldSource.header(headers + "-id"),
            FieldSource.at("/type"),
            FieldSource.nowhere(),
            Optional.empty());
    return new Provider(new ProviderSettings(name, tenant, verification, events));
  }

  private static Signing v1(String headers, String... secrets) {
    Signing hmac = Signing.hmacSha256(headers + "-signature", secrets).withSecretsInBase64();
    return standard(hmac, headers).withPrefix("v1,");
  }

  private static Signing v1a(String... keys) {
    return standard(Signing.ed25519("webhook-signature", keys), "webhook").withPrefix("v1a,");
  }

  private static Signing standard(Signing signing, String headers) {
    return signing
        .withSeparator(" ")
        .inBase64()
        .withTimestamp(headers + "-timestamp")
        .over("{header:" + headers + "-id}.{timestamp}.{body}");
  }

  private static boolean isPublic(String key) {
    return PublicKeyReader.isStandard(key);
  }

  private static RequestConditions jsonOrForm() {
    return new RequestConditions(
        Presets.POST, List.of(Presets.JSON, FormFields.MEDIA_TYPE), Envelope.MAX_DATA_BYTES);
  }

  /** Returns an id that no template reads as a placeholder. */
  private static String checkedId(String webhookId) {
    if (!webhookId.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException(
          "webhook id must have 1 to 64 letters, digits, _ and -, got " + webhookId);
    }
    return webhookId;
  }
}
