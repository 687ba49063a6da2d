package dev.once.gateway;

import dev.once.inbox.Provider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Webhooks of a sender, and the path of the service that gets them.
 *
 * @param sender how they are signed
 * @param name the end of their address, {@code /once/webhooks/name}
 * @param tenant the tenant that they belong to
 * @param secretFiles files whose first line is a secret; two while it is changed
 * @param to the path at the service
 */
record WebhookSettings(
    Sender sender, String name, String tenant, List<Path> secretFiles, String to) {
  /** The senders that sign with a secret alone. */
  enum Sender {
    GITHUB,
    SHOPIFY,
    SLACK,
    STANDARD,
    STRIPE,
    SVIX
  }

  WebhookSettings {
    secretFiles = List.copyOf(secretFiles);
    if (secretFiles.isEmpty()) {
      throw new SettingsException("secretFiles of webhooks must name a file");
    }
    requireAddress(to);
  }

  private static void requireAddress(String to) {
    try {
      URI unused = URI.create(to);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          "to must be a path of a URI, with other characters percent-encoded, got " + to, e);
    }
  }

  /**
   * Reads the secrets.
   *
   * @throws SettingsException if one of them cannot be read or used
   */
  Provider provider() {
    String[] secrets = secretFiles.stream().map(WebhookSettings::secret).toArray(String[]::new);
    try {
      return signedWith(secrets).withName(name);
    } catch (IllegalArgumentException e) {
      throw new SettingsException("webhooks " + name + " cannot be used: " + e.getMessage(), e);
    }
  }

  private Provider signedWith(String... secrets) {
    return switch (sender) {
      case GITHUB -> Provider.gitHub(tenant, secrets);
      case SHOPIFY -> Provider.shopify(tenant, secrets);
      case SLACK -> Provider.slack(tenant, secrets);
      case STANDARD -> Provider.standardWebhooks(tenant, secrets);
      case STRIPE -> Provider.stripe(tenant, secrets);
      case SVIX -> Provider.svix(tenant, secrets);
    };
  }

  private static String secret(Path file) {
    try {
      return Files.readString(file)
          .lines()
          .findFirst()
          .filter(it -> !it.isBlank())
          .orElseThrow(() -> new SettingsException(file + " has no secret in its first line"));
    } catch (IOException e) {
      throw new SettingsException(file + " cannot be read: " + e, e);
    }
  }
}
