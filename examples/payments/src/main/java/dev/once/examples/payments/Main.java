package dev.once.examples.payments;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Starts the part that the first argument names: the demo, or one of its processes. */
public final class Main {
  static final String DEMO = "demo";
  static final String SHOP = "shop";
  static final String SIMULATOR = "simulator";

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    String part = arguments.length == 0 ? "" : arguments[0];
    // Settings come by standard input: other users can read passwords on a command line.
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    switch (part) {
      case DEMO -> System.exit(Demo.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
      case SHOP -> Shop.main(input);
      case SIMULATOR -> Simulator.main(input);
      default -> {
        System.err.println("once: name a part: demo, shop or simulator");
        System.exit(2);
      }
    }
  }
}
