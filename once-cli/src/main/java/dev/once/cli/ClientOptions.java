package dev.once.cli;

import dev.once.client.OnceHttpClient;
import dev.once.client.RetryRules;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How requests are sent: by the rules of a contract, and with which credentials. */
final class ClientOptions {
  @Option(names = "--contract")
  private String contract = "strict";

  @Option(names = "--token-env")
  private @Nullable String tokenVariable;

  RetryRules rules() {
    try {
      return RetryRules.named(contract);
    } catch (IllegalArgumentException e) {
      throw new Misuse(
          "--contract must be strict, planning, mobile, async, ietf, stripe or plain, got "
              + contract);
    }
  }

  OnceHttpClient.Builder client(Session session) {
    Map<String, String> credentials = credentials(session);
    return OnceHttpClient.builder(rules()).credentials(() -> credentials);
  }

  private Map<String, String> credentials(Session session) {
    if (tokenVariable == null) {
      return Map.of();
    }
    String name = tokenVariable;
    String token =
        session
            .variable(name)
            .orElseThrow(() -> new Misuse("--token-env names " + name + ", which is not set"));
    return Map.of("Authorization", "Bearer " + token);
  }
}
