package dev.once.cli;

import picocli.CommandLine.Option;

/** How many jobs are printed. */
final class JobLimit {
  private static final int DEFAULT_LIMIT = 100;

  @Option(names = "--limit")
  private int limit = DEFAULT_LIMIT;

  int value() {
    if (limit < 1) {
      throw new Misuse("--limit must be 1 or more");
    }
    return limit;
  }
}
