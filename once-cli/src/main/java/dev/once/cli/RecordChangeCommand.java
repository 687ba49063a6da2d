package dev.once.cli;

import dev.once.Key;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.RecordAdmin;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once release} and {@code expire}: change one record. */
@Command
final class RecordChangeCommand implements Callable<Integer> {
  private final Session session;
  private final String name;
  private final Change change;
  private final String refusal;

  @Mixin private final KeyOptions keys = new KeyOptions();
  @Mixin private final ActionOptions action = new ActionOptions();
  @Mixin private final RecordDatabase database = new RecordDatabase();
  @Mixin private final OutputOption output = new OutputOption();

  /** What happens to a record, and whether that was possible. */
  interface Change {
    boolean apply(RecordAdmin records, Key key);
  }

  private RecordChangeCommand(Session session, String name, Change change, String refusal) {
    this.session = session;
    this.name = name;
    this.change = change;
    this.refusal = refusal;
  }

  /**
   * @param refusal why a record was not changed, after its state
   */
  static CommandLine named(String name, Session session, Change change, String refusal) {
    return new CommandLine(new RecordChangeCommand(session, name, change, refusal))
        .setCommandName(name);
  }

  @Override
  public Integer call() {
    Key key = keys.key();
    action.check();
    try (OpenRecords opened = database.open(session)) {
      if (!change.apply(opened.store(), key)) {
        throw new CommandException(
            "the record of key %s is %s: %s"
                .formatted(Text.printable(key.value()), state(opened, key), refusal));
      }
      output.print(
          session,
          () -> action.text(name, RecordPrinter.text(key)),
          () -> action.json(name).put("record", RecordPrinter.keyOf(key).node()));
      return 0;
    }
  }

  private static String state(OpenRecords opened, Key key) {
    try {
      return opened.require(key).state().word();
    } catch (UnreadableOutcomeException e) {
      return "done"; // Its outcome is sealed.
    }
  }
}
