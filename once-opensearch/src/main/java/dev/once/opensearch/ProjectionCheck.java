package dev.once.opensearch;

import dev.once.events.EventLog;
import dev.once.internal.Limits;
import dev.once.opensearch.CheckReport.Difference;
import dev.once.opensearch.CheckReport.Kind;
import dev.once.opensearch.LogFold.Digest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Compares a read model with the documents that the log makes. Events may go on coming: a document
 * that differs is read again for a while, because its event may be on its way. It keeps about 300
 * bytes per document in memory. Immutable.
 */
public final class ProjectionCheck {
  public static final int DEFAULT_MAX_DIFFERENCES = 1000;
  public static final int MAX_DIFFERENCES = 10_000;
  public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);
  public static final Duration MAX_PATIENCE = Duration.ofHours(1);

  private final ReadModel model;
  private final EventLog log;
  private final int maxDifferences;
  private final Duration patience;
  private final Consumer<CheckProgress> listener;

  private ProjectionCheck(
      ReadModel model,
      EventLog log,
      int maxDifferences,
      Duration patience,
      Consumer<CheckProgress> listener) {
    this.model = model;
    this.log = log;
    this.maxDifferences = maxDifferences;
    this.patience = patience;
    this.listener = listener;
  }

  public static ProjectionCheck of(ReadModel model, EventLog log) {
    return new ProjectionCheck(
        model, log, DEFAULT_MAX_DIFFERENCES, DEFAULT_PATIENCE, progress -> {});
  }

  /** Lists at most this many differences, 1000 by default. */
  public ProjectionCheck withMaxDifferences(int differences) {
    Limits.range("number of differences", differences, 1, MAX_DIFFERENCES);
    return new ProjectionCheck(model, log, differences, patience, listener);
  }

  /** Waits this long for events that are on their way, 10 s by default. */
  public ProjectionCheck withPatience(Duration patience) {
    Limits.range("patience", patience, Duration.ZERO, MAX_PATIENCE);
    return new ProjectionCheck(model, log, maxDifferences, patience, listener);
  }

  /** Notifies {@code listener} after each page of the log or the index. */
  public ProjectionCheck withListener(Consumer<CheckProgress> listener) {
    return new ProjectionCheck(model, log, maxDifferences, patience, listener);
  }

  public CheckReport run() throws InterruptedException {
    return new Run().run();
  }

  private DocumentReader documents() throws InterruptedException {
    return new DocumentReader(model.client(), model.indexes().requireLive());
  }

  /** One run of the check. */
  private final class Run {
    private final LogFold fold = new LogFold(model, log);
    private final Set<String> suspects = new LinkedHashSet<>();
    private boolean isComplete = true;
    private long documents;

    CheckReport run() throws InterruptedException {
      readLog();
      compareAll();
      return new CheckReport(fold.events(), documents, confirm(), isComplete);
    }

    private void readLog() {
      fold.advance(events -> listener.accept(new CheckProgress(events, documents)));
    }

    private void compareAll() throws InterruptedException {
      Set<String> missing = fold.ids();
      DocumentReader reader = documents();
      model.indexes().refresh(reader.index());
      reader.scan(
          page -> {
            page.forEach(
                (id, found) -> {
                  missing.remove(id);
                  compare(id, Optional.of(found)).ifPresent(it -> suspect(id));
                });
            documents += page.size();
            listener.accept(new CheckProgress(fold.events(), documents));
          });
      missing.forEach(this::suspect);
    }

    private void suspect(String id) {
      if (suspects.size() < maxDifferences) {
        suspects.add(id);
      } else {
        isComplete = false;
      }
    }

    /** Returns the suspects that still differ when the time is over. */
    private List<Difference> confirm() throws InterruptedException {
      RetryTimer retries = new RetryTimer(patience);
      List<Difference> differences = new ArrayList<>();
      do {
        differences.clear();
        if (!suspects.isEmpty()) {
          // Before the log: so the log has the event of every document that is found.
          Map<String, Digest> found = documents().find(suspects);
          readLog();
          for (String id : suspects) {
            compare(id, Optional.ofNullable(found.get(id))).ifPresent(differences::add);
          }
          suspects.retainAll(
              differences.stream().map(Difference::documentId).collect(Collectors.toSet()));
        }
      } while (!suspects.isEmpty() && retries.pause());
      return differences;
    }

    private Optional<Difference> compare(String id, Optional<Digest> found) {
      Optional<Digest> expected = fold.document(id);
      if (expected.equals(found)) {
        return Optional.empty();
      }
      long expectedVersion = expected.map(Digest::version).orElse(0L);
      long foundVersion = found.map(Digest::version).orElse(0L);
      Kind kind = kind(expectedVersion, foundVersion);
      return Optional.of(new Difference(kind, id, expectedVersion, foundVersion));
    }

    private static Kind kind(long expected, long found) {
      if (found == 0) {
        return Kind.MISSING;
      }
      if (found == expected) {
        return Kind.DIFFERENT;
      }
      return found < expected ? Kind.STALE : Kind.UNEXPECTED;
    }
  }
}
