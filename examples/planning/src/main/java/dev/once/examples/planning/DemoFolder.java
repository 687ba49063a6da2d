package dev.once.examples.planning;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder for the demo's data and logs. */
record DemoFolder(Path path) {
  DemoFolder {
    path = path.toAbsolutePath().normalize();
  }

  Path data() {
    return path.resolve("postgres");
  }

  Path log() {
    return path.resolve("demo.log");
  }

  void requireWritable() {
    try {
      Files.delete(Files.createTempFile(Files.createDirectories(path), "check", ""));
    } catch (IOException e) {
      throw new DemoRefusal(
          "cannot write to " + path + ": make it writable, or name another with --folder", e);
    }
  }

  /** Writes the stack trace of a failure to the log, since it is too long for a terminal. */
  void log(Throwable failure) {
    var trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    try {
      Files.writeString(
          log(), trace.toString(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
