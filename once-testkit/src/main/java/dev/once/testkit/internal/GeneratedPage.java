package dev.once.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page of the documentation that a test generates from the code. The test fails if the page in
 * the repository differs; with {@code -Dsnippets=write} it writes the page instead.
 */
public final class GeneratedPage {
  private static final String WRITE =
      "mvn test -pl docs,once-spring-boot-starter,once-gateway -am"
          + " -Dtest='dev.once.docs.*Test,*ReferenceTest' -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dsnippets=write";

  private GeneratedPage() {}

  /** Returns whether tests write pages instead of comparing them. */
  public static boolean isWritten() {
    return "write".equals(System.getProperty("snippets"));
  }

  /** Compares a file with the text that the code gives, or writes it. */
  public static void check(Path page, String text) throws IOException {
    if (isWritten()) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page)).as("to write %s again: %s", page, WRITE).isEqualTo(text);
  }

  /** Returns a row of a table; a cell may contain anything but a line break. */
  public static String row(List<String> cells) {
    StringBuilder row = new StringBuilder("|");
    for (String cell : cells) {
      String text = cell.replace("|", "\\|");
      row.append(text.isEmpty() ? " |" : " " + text + " |");
    }
    return row + "\n";
  }

  /** Returns the head of a table. */
  public static String head(String... columns) {
    return row(List.of(columns)) + "|" + "---|".repeat(columns.length) + "\n";
  }
}
