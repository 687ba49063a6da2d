package dev.once.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The environment variables that stand in for options which are not given. */
record Variables(Session session) implements IDefaultValueProvider {
  static final Map<String, String> OF_OPTIONS =
      Map.ofEntries(
          Map.entry("--source", "EVENT_SOURCE"),
          Map.entry("--topic", "EVENT_TOPIC"),
          Map.entry("--database-url", "DATABASE_URL"),
          Map.entry("--database-user", "DATABASE_USER"),
          Map.entry("--s3-endpoint", "S3_ENDPOINT"),
          Map.entry("--s3-bucket", "S3_BUCKET"),
          Map.entry("--s3-region", "S3_REGION"),
          Map.entry("--s3-prefix", "S3_PREFIX"),
          Map.entry("--kafka", "KAFKA_BOOTSTRAP_SERVERS"),
          Map.entry("--kafka-config", "KAFKA_CONFIG"),
          Map.entry("--opensearch", "OPENSEARCH_URL"));

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    String variable =
        argument instanceof OptionSpec option ? OF_OPTIONS.get(option.longestName()) : null;
    return variable == null ? null : session.variable(variable).orElse(null);
  }

  /** Returns the value of an option that the command cannot do without. */
  static String require(String option, @Nullable String value) {
    if (value != null) {
      return value;
    }
    String variable = OF_OPTIONS.get(option);
    throw new Misuse(
        variable == null
            ? option + " is missing"
            : option + " is missing: give it, or set " + variable);
  }
}
