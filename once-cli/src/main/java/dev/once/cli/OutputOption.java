package dev.once.cli;

import picocli.CommandLine.Option;

/** Whether results are for people or for programs. */
final class OutputOption implements Output {
  @Option(names = "--json")
  private boolean json;

  @Override
  public boolean isJson() {
    return json;
  }
}
