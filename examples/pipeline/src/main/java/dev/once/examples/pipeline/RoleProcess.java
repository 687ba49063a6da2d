package dev.once.examples.pipeline;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Runs a role until the parent process closes this process's input, or a signal ends it. */
final class RoleProcess {
  static final String READY = "ready ";

  private static final int FAILED = 1;

  private RoleProcess() {}

  static void run(Role role, Environment environment) throws Exception {
    PrintStream output = System.out;
    System.setOut(System.err); // Servers print what they do.
    Logs.configure(role.text());
    Logger log = System.getLogger(RoleProcess.class.getName());
    Role.Running running;
    try {
      running = role.start(environment);
    } catch (Throwable e) {
      log.log(Level.ERROR, role.text() + " does not start", e);
      System.exit(FAILED);
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(running, log), "end"));
    output.println(READY + (running.port() == 0 ? "-" : running.port()));
    output.flush();
    log.log(Level.INFO, "ready");
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static void close(Role.Running running, Logger log) {
    try {
      running.close();
    } catch (IOException | RuntimeException e) {
      log.log(Level.WARNING, "it did not end cleanly", e);
    }
  }
}
