package dev.once.cli;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./once completion}: prints a script by which a shell completes commands and options. */
@Command(name = "completion")
final class CompletionCommand implements Callable<Integer> {
  private static final Pattern VALUES =
      Pattern.compile("(?m)^( *local \\w+_option_args=)(\\(.*\\))");

  private final Session session;

  @Parameters(index = "0", paramLabel = "<shell>")
  private Shell shell = Shell.BASH;

  /** The usage of commands that are programs of their own, from the script. */
  @Option(names = "--usage", hidden = true)
  private Map<String, String> usages = new TreeMap<>();

  private enum Shell {
    BASH,
    ZSH
  }

  CompletionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    CommandLine once = Cli.commands(session);
    new TreeMap<>(usages).forEach((name, usage) -> OtherProgram.add(once, name, usage));
    String script = inLowerCase(AutoComplete.bash("once", once).stripTrailing());
    // It has a line by which zsh emulates bash.
    session.print(shell == Shell.BASH ? script : "#compdef once\n" + script);
    return 0;
  }

  /** Proposes values as the usage writes them; picocli writes the constants of their enums. */
  private static String inLowerCase(String script) {
    return VALUES
        .matcher(script)
        .replaceAll(
            it -> Matcher.quoteReplacement(it.group(1) + it.group(2).toLowerCase(Locale.ROOT)));
  }
}
