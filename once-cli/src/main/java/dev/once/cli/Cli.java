package dev.once.cli;

import dev.once.OnceException;
import dev.once.client.OfflineQueue;
import dev.once.client.QueueException;
import dev.once.opensearch.SearchException;
import dev.once.spi.RecordAdmin;
import dev.once.webhooks.WebhookEndpoints;
import dev.once.workflow.Runs;
import java.time.Duration;
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
    CommandLine runs =
        new CommandLine(new RunsCommand())
            .addSubcommand(new RunsListCommand(session))
            .addSubcommand(new RunsShowCommand(session))
            .addSubcommand(
                RunsChangeCommand.named(
                    "cancel", session, Runs::cancel, "only one that is running can be cancelled"))
            .addSubcommand(
                RunsChangeCommand.named(
                    "resume",
                    session,
                    Runs::resume,
                    "what is completed, cancelled or compensated cannot be resumed: fork it"))
            .addSubcommand(new RunsForkCommand(session))
            .addSubcommand(new RunsCheckCommand(session));
    return new CommandLine(new OnceCommand())
        .addSubcommand(new RelayCommand(session))
        .addSubcommand(events)
        .addSubcommand(new SendCommand(session))
        .addSubcommand(queue)
        .addSubcommand(runs)
        .addSubcommand(new InspectCommand(session))
        .addSubcommand(
            RecordChangeCommand.named(
                "release",
                session,
                RecordAdmin::reopen,
                "only one that is in progress or uncertain can be released"))
        .addSubcommand(
            RecordChangeCommand.named(
                "expire",
                session,
                RecordAdmin::expire,
                "its owner may still work; release it first, or wait for its lease to end"))
        .addSubcommand(new SettleCommand(session))
        .addSubcommand(new PurgeCommand(session))
        .addSubcommand(new StatsCommand(session))
        .addSubcommand(jobs(session))
        .addSubcommand(webhooks(session))
        .addSubcommand(schema(session))
        .addSubcommand(new DoctorCommand(session))
        .addSubcommand(new CompletionCommand(session))
        .setDefaultValueProvider(new Variables(session))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static CommandLine jobs(Session session) {
    return new CommandLine(new JobsCommand())
        .addSubcommand(new JobsListCommand(session))
        .addSubcommand(new JobsShowCommand(session))
        .addSubcommand(new JobsDeadCommand(session))
        .addSubcommand(
            JobsChangeCommand.named(
                "retry",
                session,
                (jobs, tenant, ids, actor) -> jobs.deadLetters().retry(tenant, ids, actor),
                "only dead letters can be retried; those whose effects may be forgotten can only be repeated"))
        .addSubcommand(
            JobsChangeCommand.named(
                "repeat",
                session,
                (jobs, tenant, ids, actor) -> jobs.deadLetters().repeat(tenant, ids, actor),
                "only dead letters can be repeated"))
        .addSubcommand(
            JobsChangeCommand.named(
                "discard",
                session,
                (jobs, tenant, ids, actor) -> jobs.deadLetters().discard(tenant, ids, actor),
                "only dead letters can be discarded; cancel other jobs"))
        .addSubcommand(
            JobsChangeCommand.named(
                "cancel",
                session,
                (jobs, tenant, ids, actor) -> jobs.admin().cancel(tenant, ids, actor),
                "only jobs that are not finished can be cancelled; discard dead letters"))
        .addSubcommand(
            JobsChangeCommand.named(
                "run-now",
                session,
                (jobs, tenant, ids, actor) ->
                    jobs.admin().postpone(tenant, ids, Duration.ZERO, actor),
                "only jobs that wait can be made due"));
  }

  private static CommandLine webhooks(Session session) {
    return new CommandLine(new WebhooksCommand())
        .addSubcommand(new WebhooksListCommand(session))
        .addSubcommand(new WebhooksShowCommand(session))
        .addSubcommand(WebhooksChangeCommand.named("enable", session, WebhookEndpoints::enable))
        .addSubcommand(WebhooksChangeCommand.named("disable", session, WebhookEndpoints::disable))
        .addSubcommand(new WebhooksItemsCommand(session));
  }

  private static CommandLine schema(Session session) {
    return new CommandLine(new SchemaCommand())
        .addSubcommand(new SchemaApplyCommand(session))
        .addSubcommand(new SchemaCheckCommand(session))
        .addSubcommand(new SchemaPrintCommand(session));
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
