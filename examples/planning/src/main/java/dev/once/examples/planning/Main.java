package dev.once.examples.planning;

import java.util.Arrays;

/** Starts the demo if the first argument names it, and otherwise the planning API alone. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    if (arguments.length > 0 && arguments[0].equals("demo")) {
      System.exit(Demo.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
    }
    PlanningApplication.main(arguments);
  }
}
