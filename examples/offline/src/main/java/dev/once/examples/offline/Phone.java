package dev.once.examples.offline;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A phone: its link, and its app in a process that can be killed and started again. */
final class Phone implements AutoCloseable {
  private static final int START_SECONDS = 60;
  private static final int END_SECONDS = 20;

  /** From this version on the JVM asks for permission to use native code. */
  private static final int NATIVE_ACCESS_VERSION = 22;

  private final int number;
  private final Link link;
  private final Path queue;
  private final Path log;
  private final BiConsumer<Phone, PhoneEvent> listener;
  private final PhoneModel model = new PhoneModel();
  private @Nullable Process process;
  private @Nullable Thread reader;
  private int kills;

  Phone(int number, Link link, Path folder, Path log, BiConsumer<Phone, PhoneEvent> listener) {
    this.number = number;
    this.link = link;
    this.queue = folder.resolve("phone-" + number + ".db");
    this.log = log;
    this.listener = listener;
  }

  int number() {
    return number;
  }

  Link link() {
    return link;
  }

  /** Returns the file of its queue. */
  Path queue() {
    return queue;
  }

  PhoneModel model() {
    return model;
  }

  synchronized int kills() {
    return kills;
  }

  synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Starts the app, and waits until it has read its queue. */
  void start() throws IOException {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    synchronized (this) {
      if (isRunning()) {
        return;
      }
      ProcessBuilder builder = new ProcessBuilder(command());
      builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      // Its input stays open: the app ends when this process ends, for any reason.
      Process started = builder.start();
      process = started;
      String url = "http://127.0.0.1:" + link.port() + RoomServer.PATH;
      send(started, url + "\n" + queue + "\n");
      reader = new Thread(() -> read(started.inputReader(), ready), "phone-" + number);
      reader.setDaemon(true);
      reader.start();
    }
    try {
      ready.orTimeout(START_SECONDS, TimeUnit.SECONDS).join();
    } catch (RuntimeException e) {
      throw new IOException("the app of phone " + number + " does not start: see " + log, e);
    }
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // It starts sooner, and does not run for long.
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx64m");
    if (Runtime.version().feature() >= NATIVE_ACCESS_VERSION) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), Main.PHONE));
    return command;
  }

  private void read(BufferedReader output, CompletableFuture<Void> ready) {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        PhoneEvent event = PhoneEvent.read(line);
        model.add(event);
        listener.accept(this, event);
        if (event.kind() == PhoneEvent.Kind.READY) {
          ready.complete(null);
        }
      }
    } catch (IOException e) {
      // It was killed.
    }
    ready.completeExceptionally(new IOException("it ended"));
  }

  /** Does on the phone what a person does; false if the app does not run. */
  synchronized boolean execute(PhoneCommand command) {
    if (process == null || !isRunning()) {
      return false;
    }
    try {
      send(process, command.line() + "\n");
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static void send(Process process, String text) {
    try {
      Writer input = process.outputWriter();
      input.write(text);
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the app with SIGKILL, so that it cannot clean up. */
  synchronized void kill() {
    if (isRunning()) {
      kills++;
      end();
      model.killed();
    }
  }

  private void end() {
    if (process != null) {
      process.destroyForcibly().onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
      join();
    }
  }

  /** What the app said before its end is in the model then. */
  private void join() {
    try {
      if (reader != null && !reader.equals(Thread.currentThread())) {
        reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    end();
    link.close();
  }
}
