package dev.once.cli;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.internal.UncertainRecord;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Claim;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once settle}: decides what happened to an uncertain record, as a reconciler would. */
@Command(name = "settle")
final class SettleCommand implements Callable<Integer> {
  private static final int DEFAULT_HOURS = 24;
  private static final int MAX_HOURS = 24 * 366;

  private final Session session;

  @Mixin private final KeyOptions keys = new KeyOptions();
  @Mixin private final ActionOptions action = new ActionOptions();
  @Mixin private final RecordDatabase database = new RecordDatabase();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--happened")
  private boolean happened;

  @Option(names = "--did-not-happen")
  private boolean didNotHappen;

  @Option(names = "--failed")
  private boolean failed;

  @Option(names = "--status")
  private @Nullable Integer status;

  @Option(names = "--outcome-header")
  private List<String> headers = List.of();

  @Option(names = "--body")
  private @Nullable String body;

  @Option(names = "--body-file")
  private @Nullable Path bodyFile;

  @Option(names = "--keep-hours")
  private int keepHours = DEFAULT_HOURS;

  SettleCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Key key = keys.key();
    action.check();
    if (happened == didNotHappen) {
      throw new Misuse("give one of both: --happened or --did-not-happen");
    }
    if (keepHours < 1 || keepHours > MAX_HOURS) {
      throw new Misuse("--keep-hours must be 1 to %d, got %d".formatted(MAX_HOURS, keepHours));
    }
    Outcome outcome = outcome();
    try (OpenRecords opened = database.open(session)) {
      JdbcRecordStore store = opened.store();
      Claim.Granted grant = claim(store, opened.require(key));
      if (happened) {
        store.complete(grant, outcome, Duration.ofHours(keepHours));
      } else {
        store.release(grant);
      }
      print(opened.require(key));
      return 0;
    }
  }

  /** Claims the record, so that no reconciler decides at the same moment. */
  private static Claim.Granted claim(JdbcRecordStore store, RecordView record) {
    if (record.state() != State.UNCERTAIN) {
      throw refused(record.key(), record.state().word());
    }
    return UncertainRecord.claim(store, record)
        .orElseThrow(() -> refused(record.key(), "being decided by another process, or gone"));
  }

  private static CommandException refused(Key key, String what) {
    return new CommandException(
        "the record of key %s is %s: only one that is uncertain can be settled (./once inspect shows it)"
            .formatted(Text.printable(key.value()), what));
  }

  private Outcome outcome() {
    if (didNotHappen
        && (failed || status != null || body != null || bodyFile != null || !headers.isEmpty())) {
      throw new Misuse("what did not happen has no outcome: --did-not-happen stands alone");
    }
    if (body != null && bodyFile != null) {
      throw new Misuse("give one of both: --body <text> or --body-file <path>");
    }
    try {
      return new Outcome(failed, status == null ? 0 : status, outcomeHeaders(), payload());
    } catch (IllegalArgumentException e) {
      throw new Misuse(CommandException.reason(e));
    }
  }

  private Headers outcomeHeaders() {
    Headers all = Headers.NONE;
    for (String it : headers) {
      int colon = it.indexOf(':');
      if (colon < 1) {
        throw new Misuse("--outcome-header must be 'Name: value'");
      }
      all = all.with(it.substring(0, colon).strip(), it.substring(colon + 1).strip());
    }
    return all;
  }

  private Payload payload() {
    if (bodyFile != null) {
      try {
        return Payload.of(Files.readAllBytes(bodyFile));
      } catch (IOException e) {
        throw new CommandException(
            "the body in " + bodyFile + " cannot be read: check --body-file", e);
      }
    }
    return body == null ? Payload.NONE : Payload.of(body.getBytes(StandardCharsets.UTF_8));
  }

  private void print(RecordView now) {
    output.print(
        session,
        () -> action.text("settle", RecordPrinter.text(now)),
        () -> action.json("settle").put("record", RecordPrinter.json(now).node()));
  }
}
