package dev.once.docs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a program prints. */
final class Output {
  private Output() {}

  /** Something that prints. */
  interface Program {
    void run() throws Exception;
  }

  /** The lines that {@code program} prints, without the last line break. */
  static String of(Program program) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8).strip();
  }
}
