package dev.once.cli;

import picocli.CommandLine.Command;

/** {@code ./once events} without a command of its own. */
@Command(name = "events")
final class EventsCommand implements Runnable {

  @Override
  public void run() {
    throw new Misuse("name a command: tail, show, redrive, rebuild or check");
  }
}
