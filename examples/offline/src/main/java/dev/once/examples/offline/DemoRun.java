package dev.once.examples.offline;

import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of the demo: the server, two phones, and all that can happen to them. */
final class DemoRun implements AutoCloseable {
  private static final int PHONES = 2;
  private static final long TICK_MILLIS = 20;
  private static final int SETTLE_SECONDS = 60;

  private final long start = System.nanoTime();
  private final Consumer<String> lines;
  private final Path data;
  private final FileChannel lock;
  private final EmbeddedPostgres postgres;
  private final RoomDatabase database;
  private final RoomServer server;
  private final List<Phone> phones = new ArrayList<>();
  private final Rooms rooms;
  private boolean closed;

  /**
   * Starts the server and both phones.
   *
   * @param lines is told what happens
   */
  DemoRun(Path folder, long seed, Consumer<String> lines) throws IOException, SQLException {
    this.lines = lines;
    this.rooms = new Rooms(seed);
    Path absolute = Files.createDirectories(folder).toAbsolutePath();
    this.lock = lock(absolute.resolve("offline.lock"));
    this.data = absolute.resolve("offline-data");
    Path log = absolute.resolve("offline.log");
    delete(data);
    Files.createDirectories(data);
    Files.deleteIfExists(log);
    this.postgres = EmbeddedPostgres.builder().start();
    this.database = new RoomDatabase(postgres.newDatabase("offline"));
    this.server = new RoomServer(database);
    say("the server is ready, with contract mobile");
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "demo-end"));
    for (int number = 1; number <= PHONES; number++) {
      phones.add(new Phone(number, new Link(server.port()), data, log, this::on));
    }
    for (Phone phone : phones) {
      phone.start();
      say(name(phone) + " is ready");
    }
  }

  Phone phone(int number) {
    return phones.get(number - 1);
  }

  RoomServer server() {
    return server;
  }

  int roomsInDatabase() throws SQLException {
    return database.roomsByKey().values().stream().mapToInt(it -> it).sum();
  }

  private static String name(Phone phone) {
    return "phone " + phone.number();
  }

  private void on(Phone phone, PhoneEvent event) {
    String what =
        switch (event.kind()) {
          case READY, SENDING -> "";
          case QUEUED -> "has " + event.name() + " in its queue";
          case WAITING -> "waits with " + title(phone, event) + ": " + event.text();
          case DONE -> "is done with " + title(phone, event);
          case REPLAYED -> "got the answer to " + title(phone, event) + " again: a replay";
          case FAILED -> "failed with " + title(phone, event) + ": " + event.text();
          case EDITED -> "edited it to " + event.name() + ", under a new key";
          case FOLLOWED -> "had sent it before the edit: " + event.name() + " follows it";
          case REFUSED -> "refuses: " + event.text();
        };
    if (!what.isEmpty()) {
      say(name(phone) + " " + what);
    }
  }

  private static String title(Phone phone, PhoneEvent event) {
    return phone.model().find(event.id()).map(OperationView::name).orElse(event.id());
  }

  /** Writes a new room on a phone, and returns the id of the operation. */
  String write(Phone phone) {
    PhoneCommand room = rooms.next();
    write(phone, room);
    return room.id();
  }

  private void write(Phone phone, PhoneCommand room) {
    if (!phone.execute(room)) {
      say(name(phone) + " does not write: its app is not running");
    }
  }

  /** Both phones send the same operation: the same id, key and bytes. */
  String writeOnBoth() {
    PhoneCommand room = rooms.next();
    say("both phones send " + room.name() + " with the same key");
    phones.forEach(it -> write(it, room));
    return room.id();
  }

  /** Changes the name in an operation that has not ended. */
  void edit(Phone phone, String id) {
    String name = phone.model().find(id).map(OperationView::name).orElse("Room");
    say(name(phone) + " edits " + name);
    PhoneCommand edit = new PhoneCommand(PhoneCommand.Kind.EDIT, id, "", name + "b");
    if (!phone.execute(edit)) {
      say(name(phone) + " does not edit: its app is not running");
    }
  }

  void cut(Phone phone) {
    phone.link().cut();
    say("the link of " + name(phone) + " is cut");
  }

  void restore(Phone phone) {
    if (phone.link().isCut()) {
      phone.link().restore();
      say("the link of " + name(phone) + " is restored");
    }
  }

  /** The server executes the next request, and the phone does not get to know. */
  void cutAtNextAnswer(Phone phone) {
    phone
        .link()
        .loseNextAnswer(
            () -> {
              say("the answer to " + name(phone) + " is lost");
              cut(phone);
            });
  }

  void killAtNextAnswer(Phone phone) {
    phone
        .link()
        .loseNextAnswer(
            () -> {
              phone.kill();
              say("the app of " + name(phone) + " is killed while the server answers");
            });
  }

  void kill(Phone phone) {
    phone.kill();
    say("the app of " + name(phone) + " is killed");
  }

  void start(Phone phone) throws IOException {
    if (!phone.isRunning()) {
      phone.start();
      say("the app of " + name(phone) + " is started again");
    }
  }

  /** Restores everything, and waits until all operations have ended. */
  void settle() throws IOException, InterruptedException {
    for (Phone phone : phones) {
      phone.link().passAnswers();
      restore(phone);
      start(phone);
    }
    await("all operations end", () -> phones.stream().allMatch(it -> it.model().isIdle()));
  }

  void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "after " + SETTLE_SECONDS + " s it has not happened that " + what);
      }
      Thread.sleep(TICK_MILLIS);
    }
  }

  /** Ends the phones, and compares their queues with the server's database. */
  Summary summary() throws SQLException {
    phones.forEach(Phone::close);
    return Summary.of(phones, server, database, seconds());
  }

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  void say(String line) {
    lines.accept(String.format(Locale.ROOT, "%5.1f s  %s", seconds(), line));
  }

  /** Two runs in one folder would delete each other's data. */
  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new IOException("another demo runs in this folder: end it, or choose a --folder");
    }
    return channel;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    phones.forEach(Phone::close);
    server.close();
    database.close();
    postgres.close();
    try {
      delete(data);
      lock.close();
    } catch (IOException e) {
      System.err.println("once: " + data + " was not deleted: " + e.getMessage());
    }
  }
}
