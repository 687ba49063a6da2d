package dev.once.clients.javascript;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The planning service with its database, as {@code ./once demo} runs it. */
final class PlanningProcess implements AutoCloseable {
  private static final int STOP_SECONDS = 30;
  private static final String READY = "planning is ready at ";

  private final Process process;
  private final String address;

  private PlanningProcess(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /** Starts it on a free port, and returns when it answers. */
  static PlanningProcess start(Path folder, String contract) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // starts sooner, and does not run for long
                "-XX:+UseSerialGC",
                "-jar",
                jar(),
                "demo",
                "--port",
                "0",
                "--folder",
                folder.toString(),
                "--contract",
                contract)
            .redirectErrorStream(true)
            .start();
    BufferedReader out = process.inputReader();
    List<String> lines = new ArrayList<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      if (line.startsWith(READY)) {
        return new PlanningProcess(process, line.split(" ", -1)[4]);
      }
    }
    throw new AssertionError("the service did not start: " + String.join("\n", lines));
  }

  /** The jar with everything in it is there when the service is packaged: not after mvn test. */
  private static String jar() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)).stream()
        .filter(it -> it.matches(".*planning-[^/\\\\]*\\.jar"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("planning is not packaged: run mvn verify"));
  }

  String address() {
    return address;
  }

  /** Ends it; it stops its database itself. */
  @Override
  public void close() {
    List<ProcessHandle> database = process.descendants().toList();
    process.destroy();
    process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
    database.forEach(ProcessHandle::destroyForcibly);
  }
}
