package dev.once.cli;

import dev.once.OnceException;
import dev.once.client.OfflineQueue;
import dev.once.client.QueueException;
import dev.once.opensearch.SearchException;
import java.util.Locale;
import picocli.CommandLine;

/** All commands, and how each of them ends. */
final class Cli {
  static final int FAILED = 1;
  static final int MISUSED = 2;

  /** The exit code of a command that was interrupted, as by Ctrl-C. */
  static final int INTERRUPTED = 130;

  private Cli() {}

  /** Runs a command to its end, or until this thread is interrupted, and returns its exit code. */
  static int run(Session session, String... arguments) {
    return commands(session)
        .setParameterExceptionHandler(
            (failure, given) -> misused(session, failure.getCommandLine(), failure))
        .setExecutionExceptionHandler((failure, line, given) -> failed(session, line, failure))
        .execute(arguments);
  }

  static CommandLine commands(Session session) {
    CommandLine events =
        new CommandLine(new EventsCommand())
            .addSubcommand(new TailCommand(session))
            .addSubcommand(new ShowCommand(session))
            .addSubcommand(new RedriveCommand(session))
            .addSubcommand(new RebuildCommand(session))
            .addSubcommand(new CheckCommand(session));
    CommandLine queue =
        new CommandLine(new QueueCommand())
            .addSubcommand(new QueueListCommand(session))
            .addSubcommand(new QueueShowCommand(session))
            .addSubcommand(new QueueRunCommand(session))
            .addSubcommand(QueueChangeCommand.named("retry", session, OfflineQueue::resend))
            .addSubcommand(QueueChangeCommand.named("repeat", session, OfflineQueue::repeat))
            .addSubcommand(new QueueEditCommand(session))
            .addSubcommand(QueueChangeCommand.named("drop", session, OfflineQueue::drop));
    return new CommandLine(new OnceCommand())
        .addSubcommand(new RelayCommand(session))
        .addSubcommand(events)
        .addSubcommand(new SendCommand(session))
        .addSubcommand(queue)
        .setDefaultValueProvider(new Variables(session))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static int misused(Session session, CommandLine command, Exception failure) {
    session.note("once: " + CommandException.reason(failure));
    session.note("");
    session.note(UsageText.of(command.getCommandSpec()).strip());
    return MISUSED;
  }

  private static int failed(Session session, CommandLine command, Exception failure) {
    if (failure instanceof Misuse) {
      return misused(session, command, failure);
    }
    if (failure instanceof InterruptedException || Thread.interrupted()) {
      return INTERRUPTED;
    }
    session.note("once: " + message(failure));
    return FAILED;
  }

  private static String message(Exception failure) {
    String reason = CommandException.reason(failure);
    if (failure instanceof SearchException && !reason.contains(": check ")) {
      return reason + " (check --opensearch and OPENSEARCH_AUTHORIZATION)";
    }
    if (failure instanceof CommandException
        || failure instanceof OnceException
        || failure instanceof QueueException
        || failure instanceof IllegalArgumentException) {
      return reason;
    }
    return failure.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ": " + reason;
  }
}
