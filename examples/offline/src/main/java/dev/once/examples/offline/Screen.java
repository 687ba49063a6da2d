package dev.once.examples.offline;

import dev.once.http.ReplayStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp;
import org.jline.utils.NonBlockingReader;

/**
 * The demo in a terminal: queues, retries and replays as they happen, and keys that disturb them.
 */
final class Screen {
  private static final int TICK_MILLIS = 100;
  private static final int MAX_LINES = 100;
  private static final int OPERATIONS = 6;
  private static final int MIN_ROWS = 20;
  private static final int MIN_COLUMNS = 60;
  private static final long AUTOMATIC_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
  private static final String KEYS =
      "1 2 cut/restore link   x X lose an answer   k K kill/restart app   w W write   e E edit";
  private static final String MORE_KEYS =
      "b both send the same   a write by itself, or not   q quit      (capitals: phone 2)";

  private final Terminal terminal;
  private final Deque<String> lines = new ArrayDeque<>();

  /** Actions take time: an app is a process. They happen one after the other. */
  private final ExecutorService actions =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "actions");
            thread.setDaemon(true);
            return thread;
          });

  private volatile boolean quits;
  private boolean writesByItself = true;
  private int next = 1;
  private long wroteNanos = System.nanoTime();

  Screen(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Shows the demo until the user quits, and returns what came of it. */
  static Summary show(Path folder, long seed) throws Exception {
    try (Terminal terminal = terminal()) {
      return new Screen(terminal).run(folder, seed);
    }
  }

  private static Terminal terminal() throws IOException {
    try {
      return TerminalBuilder.builder().system(true).dumb(false).build();
    } catch (IOException | IllegalStateException e) {
      throw new IOException("there is no terminal: add --script", e);
    }
  }

  Summary run(Path folder, long seed) throws Exception {
    terminal.handle(Terminal.Signal.INT, signal -> quits = true);
    terminal.writer().println("starting the server and two phones ...");
    terminal.flush();
    try (DemoRun run = new DemoRun(folder, seed, this::add)) {
      loop(run, seed);
      actions.shutdown();
      boolean unused = actions.awaitTermination(1, TimeUnit.MINUTES);
      terminal.writer().println("everything is restored; waiting until all queues are empty ...");
      terminal.flush();
      run.settle();
      return run.summary();
    }
  }

  private synchronized void add(String line) {
    lines.addLast(line);
    if (lines.size() > MAX_LINES) {
      lines.removeFirst();
    }
  }

  /** Returns the last lines about what happened. */
  synchronized List<String> last(int count) {
    return lines.stream().skip(Math.max(0, lines.size() - count)).toList();
  }

  private void loop(DemoRun run, long seed) throws IOException, SQLException {
    Attributes before = terminal.enterRawMode();
    terminal.puts(InfoCmp.Capability.enter_ca_mode);
    terminal.puts(InfoCmp.Capability.cursor_invisible);
    Display display = new Display(terminal, true);
    try {
      NonBlockingReader reader = terminal.reader();
      while (!quits) {
        draw(display, run, seed);
        writeByItself(run);
        press(reader.read(TICK_MILLIS), run);
      }
    } finally {
      terminal.puts(InfoCmp.Capability.cursor_visible);
      terminal.puts(InfoCmp.Capability.exit_ca_mode);
      terminal.setAttributes(before);
      terminal.flush();
    }
  }

  private void writeByItself(DemoRun run) {
    if (!writesByItself || System.nanoTime() - wroteNanos < AUTOMATIC_NANOS) {
      return;
    }
    wroteNanos = System.nanoTime();
    Phone phone = run.phone(next);
    next = 3 - next;
    if (phone.isRunning()) {
      act(() -> run.write(phone));
    }
  }

  private void press(int key, DemoRun run) {
    Phone phone = run.phone(key == '2' || Character.isUpperCase(key) ? 2 : 1);
    switch (Character.toLowerCase(key)) {
      case '1', '2' -> act(() -> toggleLink(run, phone));
      case 'x' -> act(() -> run.cutAtNextAnswer(phone));
      case 'k' -> act(() -> toggleApp(run, phone));
      case 'w' -> act(() -> run.write(phone));
      case 'e' -> act(() -> phone.model().lastOpen().ifPresent(it -> run.edit(phone, it.id())));
      case 'b' -> act(run::writeOnBoth);
      case 'a' -> writesByItself = !writesByItself;
      case 'q', NonBlockingReader.EOF -> quits = true;
      default -> {
        // No key was pressed, or one without a meaning.
      }
    }
  }

  private static void toggleLink(DemoRun run, Phone phone) {
    if (phone.link().isCut()) {
      run.restore(phone);
    } else {
      run.cut(phone);
    }
  }

  private static void toggleApp(DemoRun run, Phone phone) throws IOException {
    if (phone.isRunning()) {
      run.kill(phone);
    } else {
      run.start(phone);
    }
  }

  private interface Action {
    void execute() throws IOException;
  }

  private void act(Action action) {
    actions.execute(
        () -> {
          try {
            action.execute();
          } catch (IOException | RuntimeException e) {
            add("failed: " + e.getMessage());
          }
        });
  }

  private void draw(Display display, DemoRun run, long seed) throws SQLException {
    Size size = terminal.getSize();
    int rows = Math.max(MIN_ROWS, size.getRows());
    int columns = Math.max(MIN_COLUMNS, size.getColumns());
    display.resize(rows, columns);
    List<AttributedString> screen = new ArrayList<>();
    screen.add(bold(" once demo offline    contract mobile    seed " + seed));
    screen.add(AttributedString.EMPTY);
    for (int number = 1; number <= 2; number++) {
      addPhone(screen, run.phone(number));
    }
    screen.add(bold(server(run)));
    screen.add(AttributedString.EMPTY);
    int free = rows - screen.size() - 3;
    last(Math.max(1, free)).forEach(it -> screen.add(new AttributedString(it)));
    while (screen.size() < rows - 2) {
      screen.add(AttributedString.EMPTY);
    }
    screen.add(bold(KEYS));
    screen.add(bold(MORE_KEYS));
    screen.replaceAll(it -> cut(it, columns));
    display.update(screen, 0); // It keeps the list, and changes it when lines scroll.
  }

  private static AttributedString cut(AttributedString line, int columns) {
    return line.columnSubSequence(0, columns - 1);
  }

  private static String server(DemoRun run) throws SQLException {
    RoomServer server = run.server();
    return "server    answered %d   executed %d   replayed %d   told to wait %d   rooms %d"
        .formatted(
            server.requests(),
            server.answered(ReplayStatus.MISS),
            server.answered(ReplayStatus.HIT),
            server.answered(ReplayStatus.IN_PROGRESS),
            run.roomsInDatabase());
  }

  private static void addPhone(List<AttributedString> screen, Phone phone) {
    PhoneModel model = phone.model();
    boolean isCut = phone.link().isCut();
    String head =
        "phone %d   link %s   app %s   queue %d   requests %d   retries %d   replays %d"
            .formatted(
                phone.number(),
                isCut ? "CUT" : "up",
                phone.isRunning() ? "runs" : "KILLED",
                model.open(),
                model.requests(),
                model.retries(),
                model.replays());
    int color = isCut || !phone.isRunning() ? AttributedStyle.RED : AttributedStyle.GREEN;
    screen.add(new AttributedString(head, AttributedStyle.BOLD.foreground(color)));
    List<OperationView> all = model.operations();
    List<OperationView> shown = all.subList(Math.max(0, all.size() - OPERATIONS), all.size());
    shown.forEach(it -> screen.add(line(it)));
    for (int i = shown.size(); i <= OPERATIONS; i++) {
      screen.add(AttributedString.EMPTY);
    }
  }

  private static AttributedString line(OperationView it) {
    String text =
        "  %-14s %-9s attempts %d  %s"
            .formatted(
                it.name(), it.state().name().toLowerCase(Locale.ROOT), it.attempts(), it.note());
    int color =
        switch (it.state()) {
          case DONE -> AttributedStyle.GREEN;
          case REPLAYED -> AttributedStyle.CYAN;
          case FAILED -> AttributedStyle.RED;
          default -> AttributedStyle.YELLOW;
        };
    return new AttributedString(text, AttributedStyle.DEFAULT.foreground(color));
  }

  private static AttributedString bold(String text) {
    return new AttributedString(text, AttributedStyle.BOLD);
  }
}
