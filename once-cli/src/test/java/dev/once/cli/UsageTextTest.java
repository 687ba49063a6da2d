package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The usage of each command, which the script prints, says what the command understands. */
class UsageTextTest {
  private static final Pattern OPTION =
      Pattern.compile("^  (--[a-z0-9-]+)(?= )", Pattern.MULTILINE);

  /** Options that mean something else in each command: other states, or the name of what it has. */
  private static final Set<String> AMBIGUOUS =
      Set.of("--state", "--tenant", "--queue", "--type", "--body-file", "--from", "--name", "--as");

  private static final CommandLine ONCE =
      Cli.commands(
          new Session(
              Map.of(),
              new PrintStream(OutputStream.nullOutputStream()),
              new PrintStream(OutputStream.nullOutputStream()),
              prompt -> Optional.empty()));

  static List<CommandLine> commands() {
    return ONCE.getSubcommands().values().stream()
        .flatMap(
            it ->
                it.getSubcommands().isEmpty()
                    ? Stream.of(it)
                    : it.getSubcommands().values().stream())
        .toList();
  }

  private static CommandLine command(String name) {
    return Objects.requireNonNull(ONCE.getSubcommands().get(name));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void namesAllOptionsAndNoOthers(CommandLine command) {
    Set<String> known =
        command.getCommandSpec().options().stream()
            .filter(it -> !it.hidden())
            .map(OptionSpec::longestName)
            .collect(Collectors.toSet());

    assertThat(options(command)).isEqualTo(known);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void namesTheVariableOfEachOptionThatHasOne(CommandLine command) {
    String usage = usage(command);

    for (String option : options(command)) {
      String variable = Variables.OF_OPTIONS.get(option);
      if (variable != null) {
        assertThat(usage).containsPattern("(?s)" + option + " (?:(?!\n  --).)*" + variable);
      }
    }
  }

  @Test
  void describesAnOptionOfSeveralCommandsInTheSameWords() {
    Map<String, String> lines = new TreeMap<>();
    for (CommandLine command : commands()) {
      for (String line : usage(command).lines().filter(it -> it.startsWith("  --")).toList()) {
        String option = line.strip().split(" ", 2)[0];
        if (line.contains("--json <body>")) { // The body of a request, in commands that have one.
          option = "--json <body>";
        }
        if (AMBIGUOUS.contains(option)) {
          option += " of " + command.getParent().getCommandName() + command.getCommandName();
        }
        String first = lines.putIfAbsent(option, line);
        if (!option.equals("--limit")) { // It counts something else in each.
          assertThat(first == null ? line : first).isEqualTo(line);
        }
      }
    }
    assertThat(lines.keySet()).containsAll(Variables.OF_OPTIONS.keySet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"events", "jobs", "queue", "runs", "schema", "webhooks"})
  void ofAGroupNamesItsCommands(String name) {
    CommandLine group = command(name);

    assertThat(group.getSubcommands().keySet())
        .isNotEmpty()
        .allSatisfy(it -> assertThat(usage(group)).contains("./once " + name + " " + it + " "));
  }

  private static String usage(CommandLine command) {
    return UsageText.of(command.getCommandSpec());
  }

  private static Set<String> options(CommandLine command) {
    Set<String> options = new TreeSet<>();
    Matcher matcher = OPTION.matcher(usage(command));
    while (matcher.find()) {
      options.add(matcher.group(1));
    }
    return options;
  }
}
