package dev.once.cli;

import dev.once.Key;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The key of one record. */
final class KeyOptions {
  @Parameters(index = "0", paramLabel = "<key>")
  private String value = "";

  @Option(names = "--tenant")
  private @Nullable String tenant;

  @Option(names = "--scope")
  private @Nullable String scope;

  Key key() {
    return key(Variables.require("--tenant", tenant), scope, value);
  }

  static Key key(String tenant, @Nullable String scope, String value) {
    try {
      return new Key(tenant, Variables.require("--scope", scope), value);
    } catch (IllegalArgumentException e) {
      throw new Misuse(CommandException.reason(e));
    }
  }
}
