package dev.once.cli;

import dev.once.opensearch.CheckReport;
import dev.once.opensearch.CheckReport.Difference;
import dev.once.opensearch.ProjectionCheck;
import dev.once.opensearch.ReadModel;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once events check}: compares a read model with the log. */
@Command(name = "check")
final class CheckCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final StoreOptions stores = new StoreOptions();
  @Mixin private final ModelOptions models = new ModelOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--patience")
  private int patienceSeconds = (int) ProjectionCheck.DEFAULT_PATIENCE.toSeconds();

  @Option(names = "--limit")
  private int limit = ProjectionCheck.DEFAULT_MAX_DIFFERENCES;

  CheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    ReadModel model = models.open(session);
    try (OpenStore opened = stores.open(session);
        ProgressLine progress = new ProgressLine(session)) {
      CheckReport report =
          ProjectionCheck.of(model, opened.store().log())
              .withMaxDifferences(limit)
              .withPatience(Duration.ofSeconds(patienceSeconds))
              .withListener(
                  it ->
                      progress.set("events=%d documents=%d".formatted(it.events(), it.documents())))
              .run();
      report.differences().forEach(this::print);
      print(model.name(), report);
      return report.isEqual() ? 0 : Cli.FAILED;
    }
  }

  private void print(Difference it) {
    String kind = it.kind().name().toLowerCase(Locale.ROOT);
    output.print(
        session,
        () ->
            "%s %s expected=%d found=%d"
                .formatted(kind, Text.printable(it.documentId()), it.expected(), it.found()),
        () ->
            new JsonLine()
                .put("difference", kind)
                .put("document_id", it.documentId())
                .put("expected", it.expected())
                .put("found", it.found()));
  }

  private void print(String model, CheckReport report) {
    output.print(
        session,
        () ->
            "%s: %s events=%d documents=%d differences=%d%s"
                .formatted(
                    model,
                    report.isEqual() ? "equal to the log" : "differs from the log",
                    report.events(),
                    report.documents(),
                    report.differences().size(),
                    report.isComplete() ? "" : " and more"),
        () ->
            new JsonLine()
                .put("model", model)
                .put("equal", report.isEqual())
                .put("events", report.events())
                .put("documents", report.documents())
                .put("differences", report.differences().size())
                .put("complete", report.isComplete()));
  }
}
