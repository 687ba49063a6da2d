package dev.once.cli;

import picocli.CommandLine.Command;

/** {@code ./once webhooks} without a command of its own. */
@Command(name = "webhooks")
final class WebhooksCommand implements Runnable {
  @Override
  public void run() {
    throw new Misuse("name a command: list, show, enable, disable or items");
  }
}
