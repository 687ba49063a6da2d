package dev.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A hand-written file with places for generated tables, each between two markers. */
record MarkdownFile(Path path) {
  /** Checks that there is a place for {@code name}, before anything is measured. */
  void requirePlace(String name) throws IOException {
    String text = Files.readString(path);
    int begin = text.indexOf(begin(name));
    if (begin < 0 || text.indexOf(end(name)) < begin) {
      throw new IllegalArgumentException(
          path + " must have the lines " + begin(name) + " and " + end(name));
    }
  }

  /** Replaces the text between {@code <!-- begin:name -->} and {@code <!-- end:name -->}. */
  void replace(String name, String text) throws IOException {
    requirePlace(name);
    String old = Files.readString(path);
    String before = old.substring(0, old.indexOf(begin(name)));
    String after = old.substring(old.indexOf(end(name)));
    Files.writeString(path, before + begin(name) + "\n" + text + "\n" + after);
  }

  private static String begin(String name) {
    return "<!-- begin:" + name + " -->";
  }

  private static String end(String name) {
    return "<!-- end:" + name + " -->";
  }
}
