package dev.once.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A command of the script that is a program of its own: its usage says which options it has. */
final class OtherProgram {
  private static final Pattern OPTION =
      Pattern.compile("^  (--[a-z-]+)( <[^>]*>)?", Pattern.MULTILINE);

  private OtherProgram() {}

  /**
   * Adds the command, so that its options can be completed.
   *
   * @param name one or two words
   */
  static void add(CommandLine once, String name, String usage) {
    CommandLine parent = once;
    for (String word : name.split(" ", -1)) {
      CommandLine known = parent.getSubcommands().get(word);
      if (known == null) {
        known = new CommandLine(CommandSpec.create().name(word));
        parent.addSubcommand(known);
      }
      parent = known;
    }
    Matcher options = OPTION.matcher(usage);
    while (options.find()) {
      boolean hasValue = options.group(2) != null;
      parent
          .getCommandSpec()
          .addOption(
              OptionSpec.builder(options.group(1))
                  .arity(hasValue ? "1" : "0")
                  .type(hasValue ? String.class : boolean.class)
                  .build());
    }
  }
}
