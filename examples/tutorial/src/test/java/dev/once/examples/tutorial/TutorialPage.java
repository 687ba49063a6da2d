package dev.once.examples.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tutorial: the files it tells its reader to write, and the steps it tells them to take.
 *
 * <p>A block {@code console} has commands, each after a {@code $}, with their output. A block
 * {@code text} is part of the service's log. Every other block is a file, whose path ends the line
 * before the block: <code>`pom.xml`:</code>.
 */
record TutorialPage(Map<String, String> files, List<Step> steps) {
  private static final Path PAGE = Path.of("../../docs/guides/spring-boot-tutorial.md");

  private static final Pattern BLOCK =
      Pattern.compile("(?m)^(.*)\\n\\n```(\\w*)\\n((?s:.*?))\\n```$");

  private static final Pattern NAMED = Pattern.compile(".*`([^`]+)`:");
  private static final String PROMPT = "$ ";

  static TutorialPage read() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    List<Step> steps = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    while (block.find()) {
      String text = block.group(3);
      switch (block.group(2)) {
        case "console" -> steps.addAll(commands(text));
        case "text" -> steps.add(new Step.Logged(text));
        default -> files.put(nameIn(block.group(1)), text + "\n");
      }
    }
    return new TutorialPage(files, steps);
  }

  private static List<Step> commands(String text) {
    List<Step> commands = new ArrayList<>();
    for (String command : text.split("(?m)^(?=\\$ )", -1)) {
      if (!command.isEmpty()) {
        String[] parts = command.split("\\n", 2);
        String output = parts.length < 2 ? "" : parts[1].strip();
        commands.add(new Step.Command(parts[0].substring(PROMPT.length()), output));
      }
    }
    return commands;
  }

  private static String nameIn(String line) {
    Matcher named = NAMED.matcher(line);
    if (!named.matches()) {
      throw new IllegalStateException(
          "the line before a file must end with its path, as in `pom.xml`: but is " + line);
    }
    return named.group(1);
  }
}
