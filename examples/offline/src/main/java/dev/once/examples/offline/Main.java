package dev.once.examples.offline;

import java.util.Arrays;

/** Starts the part that the first argument names: the demo, or the app of a phone. */
public final class Main {
  static final String DEMO = "demo";
  static final String PHONE = "phone";

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    String part = arguments.length == 0 ? "" : arguments[0];
    switch (part) {
      case DEMO -> System.exit(Demo.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
      case PHONE -> PhoneApp.main(System.in, System.out);
      default -> {
        System.err.println("once: name a part: demo or phone");
        System.exit(2);
      }
    }
  }
}
