package dev.once.cli;

import picocli.CommandLine.Command;

/** {@code ./once schema} without a command of its own. */
@Command(name = "schema")
final class SchemaCommand implements Runnable {

  @Override
  public void run() {
    throw new Misuse("name a command: apply, check or print");
  }
}
