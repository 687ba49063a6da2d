package dev.once.cli;

import dev.once.Key;
import dev.once.UnreadableOutcomeException;
import dev.once.jdbc.RecordPage;
import dev.once.jdbc.RecordSearch;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./once inspect}: shows one record, or finds records by tenant and state. */
@Command(name = "inspect")
final class InspectCommand implements Callable<Integer> {
  private static final int DEFAULT_LIMIT = 100;

  private final Session session;

  @Mixin private final RecordDatabase database = new RecordDatabase();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "0", arity = "0..1", paramLabel = "<key>")
  private @Nullable String key;

  @Option(names = "--tenant")
  private @Nullable String tenant;

  @Option(names = "--scope")
  private @Nullable String scope;

  @Option(names = "--state", split = ",")
  private Set<State> states = EnumSet.allOf(State.class);

  @Option(names = "--limit")
  private int limit = DEFAULT_LIMIT;

  @Option(names = "--payload")
  private boolean payload;

  InspectCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    return key == null ? find() : show(key);
  }

  private int show(String value) {
    Key which = KeyOptions.key(Variables.require("--tenant", tenant), scope, value);
    RecordPrinter printer = new RecordPrinter(session, output);
    try (OpenRecords opened = database.open(session)) {
      RecordView found = opened.require(which);
      printer.print(found);
      if (payload) {
        found.outcome().ifPresent(printer::printPayload);
      }
      return 0;
    } catch (UnreadableOutcomeException e) {
      throw new CommandException("the record is there: " + CommandException.reason(e), e);
    }
  }

  private int find() throws InterruptedException {
    if (scope != null || payload) {
      throw new Misuse("--scope and --payload need a <key>");
    }
    if (limit < 1) {
      throw new Misuse("--limit must be 1 or more");
    }
    try (OpenRecords opened = database.open(session);
        ProgressLine progress = new ProgressLine(session)) {
      print(opened, progress);
      return 0;
    }
  }

  private void print(OpenRecords opened, ProgressLine progress) throws InterruptedException {
    RecordPrinter printer = new RecordPrinter(session, output);
    RecordSearch search =
        (tenant == null ? RecordSearch.ofEveryTenant() : RecordSearch.of(tenant)).inStates(states);
    int left = limit;
    while (true) {
      RecordPage page = opened.store().search(search.withLimit(pageOf(left)));
      for (RecordEntry it : page.entries()) {
        printer.print(it);
      }
      left -= page.entries().size();
      if (page.next().isEmpty()) {
        return;
      }
      if (left <= 0) {
        session.note("there may be more: raise --limit");
        return;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      search = search.after(page.next().get());
      progress.set("searched up to " + RecordPrinter.text(page.next().get()));
    }
  }

  private static int pageOf(int left) {
    return Math.min(left, RecordSearch.MAX_LIMIT);
  }
}
