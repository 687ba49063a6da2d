package dev.once.image;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How an engine runs the gateway.
 *
 * @param version of the gateway
 */
record ImageConfig(String version) {
  static final int USER = 65532;
  static final String JAVA = "opt/java";
  static final String JARS = "app";
  static final String SETTINGS = "etc/once";

  private static final String PROGRAM = "/" + JAVA + "/bin/java";
  private static final List<String> MAIN = List.of("-cp", "/app/*", "dev.once.gateway.Main");
  private static final List<String> OPTIONS = List.of("--config", "/etc/once/gateway.yaml");

  private static final List<String> ENVIRONMENT =
      List.of("PATH=/opt/java/bin", "LANG=C.UTF-8", "ONCE_LOG=json");

  private static final List<String> GATEWAY =
      List.of(
          PROGRAM,
          "-XX:MaxRAMPercentage=60", // The rest is for threads, code, buffers, and the check below.
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:-UsePerfData", // It would write to /tmp.
          "-Donce.store.required=true");

  /** A second, small and short JVM. */
  private static final List<String> HEALTH =
      List.of(
          "CMD",
          PROGRAM,
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xmx32m",
          "-XX:-UsePerfData");

  /** As in other images whose bytes are to be the same each time. */
  private static final String CREATED = "1970-01-01T00:00:00Z";

  ObjectNode json(Platform platform, List<Layer> layers) {
    ObjectNode image =
        JsonNodeFactory.instance
            .objectNode()
            .put("created", CREATED)
            .put("architecture", platform.architecture())
            .put("os", platform.os());
    describe(image.putObject("config"));
    ArrayNode files = image.putObject("rootfs").put("type", "layers").putArray("diff_ids");
    ArrayNode history = image.putArray("history");
    for (Layer layer : layers) {
      files.add(layer.diffId());
      history.addObject().put("created", CREATED).put("created_by", layer.content());
    }
    return image;
  }

  private void describe(ObjectNode process) {
    process.put("User", USER + ":" + USER).put("WorkingDir", "/").put("StopSignal", "SIGTERM");
    ObjectNode ports = process.putObject("ExposedPorts");
    ports.putObject("8080/tcp");
    ports.putObject("8081/tcp");
    put(process, "Env", Stream.of(ENVIRONMENT));
    put(process, "Entrypoint", Stream.of(GATEWAY, MAIN));
    put(process, "Cmd", Stream.of(OPTIONS));
    healthcheck(process.putObject("Healthcheck"));
    process
        .putObject("Labels")
        .put("org.opencontainers.image.title", "once-gateway")
        .put(
            "org.opencontainers.image.description",
            "A reverse proxy that makes every write to the service behind it take effect once")
        .put("org.opencontainers.image.version", version)
        .put("org.opencontainers.image.licenses", "Apache-2.0");
  }

  /** Docker's own: the OCI format does not have it, and other engines ignore it. */
  private static void healthcheck(ObjectNode check) {
    put(check, "Test", Stream.of(HEALTH, MAIN, OPTIONS, List.of("--health")));
    check
        .put("Interval", Duration.ofSeconds(30).toNanos())
        .put("Timeout", Duration.ofSeconds(20).toNanos())
        .put("StartPeriod", Duration.ofSeconds(30).toNanos())
        .put("Retries", 3);
  }

  private static void put(ObjectNode to, String name, Stream<List<String>> words) {
    ArrayNode values = to.putArray(name);
    words.flatMap(List::stream).forEach(values::add);
  }
}
