package dev.once.console;

import java.util.TreeMap;

/** Records every change, also those that were refused. Must be thread-safe. */
public interface ConsoleAudit {
  void record(ConsoleChange change);

  /** Returns an audit trail in the log, under {@code dev.once.console.audit}. */
  static ConsoleAudit logging() {
    System.Logger log = System.getLogger("dev.once.console.audit");
    return it ->
        log.log(
            System.Logger.Level.INFO,
            "action={0} user={1} subject={2} reason={3} result={4}",
            it.action().word(),
            LogText.of(it.user()),
            LogText.of(new TreeMap<>(it.subject()).toString()),
            LogText.of(it.reason()),
            it.result());
  }
}
