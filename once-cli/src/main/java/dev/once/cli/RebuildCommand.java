package dev.once.cli;

import dev.once.events.Event;
import dev.once.opensearch.ReadModel;
import dev.once.opensearch.Rebuild;
import dev.once.opensearch.RebuildListener;
import dev.once.opensearch.RebuildProgress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once events rebuild}: writes the documents of a read model again from the log. */
@Command(name = "rebuild")
final class RebuildCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final StoreOptions stores = new StoreOptions();
  @Mixin private final ModelOptions models = new ModelOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--discard")
  private boolean discard;

  @Option(names = "--remove-old")
  private boolean removeOld;

  RebuildCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    ReadModel model = models.open(session);
    try (OpenStore opened = stores.open(session)) {
      Rebuild rebuild = Rebuild.of(model, opened.store().log());
      if (discard) {
        rebuild.discard();
        output.print(
            session,
            () -> "no rebuild of " + model.name() + " is left",
            () -> new JsonLine().put("model", model.name()).put("discarded", true));
        return 0;
      }
      return run(model, rebuild);
    }
  }

  private int run(ReadModel model, Rebuild rebuild) throws InterruptedException {
    try (ProgressLine progress = new ProgressLine(session)) {
      Listener listener = new Listener(session, progress);
      String previous = rebuild.withListener(listener).run();
      List<String> removed = removeOld ? rebuild.removeOld() : List.of();
      report(model.name(), listener.last, previous, removed);
      return 0;
    } catch (InterruptedException e) {
      session.note("stopped; the same command continues, and --discard gives up what is built");
      throw e;
    }
  }

  private void report(String model, RebuildProgress last, String previous, List<String> removed) {
    output.print(
        session,
        () ->
            "rebuilt %s: events=%d rejected=%d index=%s previous=%s removed=%s"
                .formatted(
                    model,
                    last.events(),
                    last.rejected(),
                    last.index(),
                    previous,
                    removed.isEmpty() ? "-" : String.join(",", removed)),
        () ->
            new JsonLine()
                .put("model", model)
                .put("events", last.events())
                .put("rejected", last.rejected())
                .put("index", last.index())
                .put("previous", previous)
                .put("removed", removed));
  }

  /** Remembers how far the rebuild is. */
  private static final class Listener implements RebuildListener {
    private static final int MAX_REJECTED_LINES = 100;

    private final Session session;
    private final ProgressLine progress;
    private RebuildProgress last = new RebuildProgress("-", 0, 0, "", Duration.ZERO);
    private int rejected;

    Listener(Session session, ProgressLine progress) {
      this.session = session;
      this.progress = progress;
    }

    @Override
    public void progress(RebuildProgress now) {
      last = now;
      progress.set(
          "events=%d rejected=%d behind=%ds"
              .formatted(now.events(), now.rejected(), now.lag().toSeconds()));
    }

    @Override
    public void rejected(Event event, String reason) {
      if (++rejected <= MAX_REJECTED_LINES) {
        session.note(
            "rejected %s: %s".formatted(Text.printable(event.id()), Text.printable(reason)));
      }
    }
  }
}
