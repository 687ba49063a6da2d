package dev.once.image;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The gateway's own check of its settings. */
final class SettingsCheck {
  private SettingsCheck() {}

  /** Returns what {@code ./once gateway --check} prints; fails if the settings cannot be used. */
  static String of(Path settings) throws IOException, InterruptedException {
    String classPath =
        GatewayJars.classPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return Tool.run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Donce.store.required=true",
            "-cp",
            classPath,
            "dev.once.gateway.Main",
            "--config",
            settings.toString(),
            "--check"));
  }
}
