package dev.once.cli;

import picocli.CommandLine.Option;

/** As {@link OutputOption}, for commands whose {@code --json} is the body of a request. */
final class JsonOutputOption implements Output {
  @Option(names = "--json-output")
  private boolean json;

  @Override
  public boolean isJson() {
    return json;
  }
}
