package dev.once.cli;

import picocli.CommandLine.Command;

/** The program without a command. */
@Command(name = "once")
final class OnceCommand implements Runnable {

  @Override
  public void run() {
    throw new Misuse("name a command: ./once --help lists them");
  }
}
