package dev.once.workflow;

import dev.once.Key;
import dev.once.steps.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The places of calls in the code of a workflow. */
final class Paths {
  /** More levels than code needs; longer paths would not fit a key. */
  static final int MAX_CHARS = 96;

  private static final char SEPARATOR = '/';

  private Paths() {}

  /** Returns the prefix of the calls in a branch. */
  static String branch(String path, int branch) {
    String prefix = path + SEPARATOR + branch + SEPARATOR;
    if (prefix.length() > MAX_CHARS) {
      throw new IllegalStateException("branches are nested too deeply, at " + path);
    }
    return prefix;
  }

  /** Returns the calls in whose branches a call is: 3 and 3/1/2 for 3/1/2/2/1. */
  static Stream<String> above(String path) {
    List<String> above = new ArrayList<>();
    int end = path.indexOf(SEPARATOR);
    while (end >= 0) {
      above.add(path.substring(0, end));
      int branch = path.indexOf(SEPARATOR, end + 1);
      end = branch < 0 ? -1 : path.indexOf(SEPARATOR, branch + 1);
    }
    return above.stream();
  }

  /** Returns the key of a step, which is the same in all its attempts. */
  static Key keyOf(RunId run, String path, String name) {
    return new Key(run.tenant(), "workflow:" + run.value(), path + ":" + name);
  }
}
