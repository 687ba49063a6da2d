package dev.once.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One Markdown file, parsed as far as the tests need it. */
record Page(Path path, List<String> lines) {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final String FENCE = "```";

  static Page read(Path path) {
    return new Page(path, Repository.text(path).lines().toList());
  }

  /** The path as it is written in messages. */
  String name() {
    return Repository.ROOT.relativize(path).toString();
  }

  /**
   * A fenced block.
   *
   * @param first the index of its first line of text
   * @param end the index of the line that closes it
   */
  record Block(String language, int first, int end, List<String> lines) {}

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    int open = -1;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (open < 0 && line.startsWith(FENCE)) {
        open = i;
      } else if (open >= 0 && line.equals(FENCE)) {
        String language = lines.get(open).strip().substring(FENCE.length()).strip();
        blocks.add(new Block(language, open + 1, i, lines.subList(open + 1, i)));
        open = -1;
      }
    }
    if (open >= 0) {
      throw new IllegalStateException(name() + ": the block at line " + (open + 1) + " never ends");
    }
    return blocks;
  }

  /** The text of every block in {@code language}. */
  List<String> blocksIn(String language) {
    return blocks().stream()
        .filter(it -> it.language().equals(language))
        .map(it -> String.join("\n", it.lines()))
        .toList();
  }

  /** Where the links of this page lead, as written. */
  List<String> links() {
    return prose().flatMap(line -> LINK.matcher(line).results().map(it -> it.group(1))).toList();
  }

  /** The names under which headings can be linked to, by GitHub's rule. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    prose()
        .filter(line -> line.startsWith("#"))
        .map(Page::anchor)
        .forEach(
            anchor -> {
              String unique = anchor;
              for (int i = 1; !anchors.add(unique); i++) {
                unique = anchor + "-" + i;
              }
            });
    return anchors;
  }

  /** The cells of each row of the tables under {@code heading}, without head and ruler. */
  List<List<String>> rows(String heading) {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("#")) {
        inside = line.replaceFirst("^#+ ", "").equals(heading);
      } else if (inside && line.startsWith("|") && !isHead(i) && !isRuler(line)) {
        rows.add(cells(line));
      }
    }
    if (rows.isEmpty()) {
      throw new IllegalStateException(name() + " has no table under the heading " + heading);
    }
    return rows;
  }

  private boolean isHead(int line) {
    return line + 1 < lines.size() && isRuler(lines.get(line + 1));
  }

  private static boolean isRuler(String line) {
    return line.matches("\\|[-|: ]+\\|");
  }

  private static List<String> cells(String row) {
    Matcher cell = Pattern.compile("\\|([^|]*)(?=\\|)").matcher(row);
    return cell.results().map(it -> it.group(1).strip()).toList();
  }

  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private Stream<String> prose() {
    Set<Integer> inBlocks = new HashSet<>();
    for (Block block : blocks()) {
      for (int i = block.first() - 1; i <= block.end(); i++) {
        inBlocks.add(i);
      }
    }
    return Stream.iterate(0, i -> i < lines.size(), i -> i + 1)
        .filter(i -> !inBlocks.contains(i))
        .map(lines::get);
  }
}
