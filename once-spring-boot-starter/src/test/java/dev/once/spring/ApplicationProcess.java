package dev.once.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An application in a JVM of its own, which ends by itself. */
final class ApplicationProcess {
  private ApplicationProcess() {}

  /** Returns all that the application prints. */
  static String output(Class<?> application, String classPath, String... settings)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // It ends before better code would pay.
    command.add("-XX:+UseSerialGC");
    command.add(application.getName());
    command.addAll(List.of(settings));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", classPath);
    Process process = builder.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
