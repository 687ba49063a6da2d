package dev.once.cli;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The Kafka to which events are published, and their topics. */
final class KafkaOptions {
  private static final int CHECK_SECONDS = 10;
  private static final String AGGREGATE_TYPE = "{aggregate_type}";
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  @Option(names = "--kafka")
  private @Nullable String servers;

  @Option(names = "--kafka-config")
  private @Nullable Path file;

  @Option(names = "--topic")
  private @Nullable String topic;

  /** Returns the topic of each event. */
  Function<Event, String> topics() {
    String pattern = Variables.require("--topic", topic);
    String example = pattern.replace(AGGREGATE_TYPE, "x");
    if (!TOPIC.matcher(example).matches()) {
      throw new Misuse(
          "--topic must have letters, digits, dots, underscores and minus signs, and may have %s, got %s"
              .formatted(AGGREGATE_TYPE, pattern));
    }
    return event -> topic(pattern, event.aggregate());
  }

  private static String topic(String pattern, Aggregate aggregate) {
    String topic = pattern.replace(AGGREGATE_TYPE, aggregate.type());
    if (!TOPIC.matcher(topic).matches()) {
      throw new CommandException(
          "aggregate type %s does not fit into a topic: use a --topic without %s"
              .formatted(Text.printable(aggregate.type()), AGGREGATE_TYPE));
    }
    return topic;
  }

  /** Returns the settings of a producer, after a look at the brokers. */
  Map<String, Object> config() throws InterruptedException {
    Map<String, Object> config = new HashMap<>();
    Path settings = file;
    if (settings != null) {
      read(settings).forEach((name, value) -> config.put(name.toString(), value));
    }
    config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, Variables.require("--kafka", servers));
    check(config);
    return config;
  }

  private static Properties read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return properties;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException("cannot read --kafka-config %s: %s".formatted(file, e), e);
    }
  }

  private void check(Map<String, Object> config) throws InterruptedException {
    Map<String, Object> limited = new HashMap<>(config);
    limited.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, CHECK_SECONDS * 1000 / 2);
    limited.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, CHECK_SECONDS * 1000);
    try (Admin admin = Admin.create(limited)) {
      admin.describeCluster().nodes().get(CHECK_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "Kafka at %s does not answer: %s (check --kafka and --kafka-config)"
              .formatted(servers, CommandException.reason(cause)),
          e);
    }
  }
}
