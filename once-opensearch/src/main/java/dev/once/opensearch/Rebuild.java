package dev.once.opensearch;

import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.internal.Limits;
import java.util.List;

/**
 * Builds the documents of a read model again from the log, in a new index, while the present one is
 * searched and written. In the end the read model's alias changes to the new index in one step.
 *
 * <p>No event is lost, because of the order at the end: the rebuild reads the log to its end, then
 * blocks writes to the present index, reads the log to its end again, and changes the alias. An
 * event reaches the projection through the log. So each event that the present index has was in the
 * log before the block, and the rebuild has written it; each later one waits in the projection, and
 * goes to the new index. Searches never see an older state than before. The order without a block,
 * to change the alias and read the rest of the log afterwards, would show older states meanwhile,
 * and leave events out if the process crashed in between.
 *
 * <p>A rebuild that was stopped or crashed is continued by the next {@link #run}, at the position
 * that the new index remembers. After a crash within the block, the projection waits until then, or
 * until {@link #discard}.
 */
public final class Rebuild {
  public static final int DEFAULT_PAGE = 500;

  private final ReadModel model;
  private final EventLog log;
  private final int pageSize;
  private final RebuildListener listener;

  private Rebuild(ReadModel model, EventLog log, int pageSize, RebuildListener listener) {
    this.model = model;
    this.log = log;
    this.pageSize = pageSize;
    this.listener = listener;
  }

  /** Returns a rebuild of {@code model}, for one run at a time in all processes. */
  public static Rebuild of(ReadModel model, EventLog log) {
    return new Rebuild(model, log, DEFAULT_PAGE, RebuildListener.NONE);
  }

  /** Sets how many events are read and written together, 500 by default. */
  public Rebuild withPageSize(int events) {
    Limits.range("page size", events, 1, EventStore.MAX_PAGE);
    return new Rebuild(model, log, events, listener);
  }

  public Rebuild withListener(RebuildListener listener) {
    return new Rebuild(model, log, pageSize, listener);
  }

  /**
   * Starts a rebuild, or continues one that was stopped, and returns when the new index is used.
   * After a change of the mapper or of the definition, {@link #discard} an unfinished rebuild
   * before.
   *
   * @return the index that was used before. It is kept, without further writes, until {@link
   *     #removeOld}.
   * @throws SearchException if the server fails, or another rebuild ended first
   */
  public String run() throws InterruptedException {
    ReadModelIndexes indexes = model.indexes();
    String old = indexes.requireLive();
    String index = indexes.building().orElse("");
    if (index.isEmpty()) {
      index = indexes.createBuilding();
    }
    IndexBuilder builder = new IndexBuilder(model, index, log, pageSize, listener);
    builder.copyToEndOfLog();
    indexes.blockWrites(old);
    builder.copyToEndOfLog();
    indexes.refresh(index);
    indexes.replace(old, index);
    return old;
  }

  /** Removes the index of a rebuild that was stopped, and ends its block of writes. */
  public void discard() throws InterruptedException {
    ReadModelIndexes indexes = model.indexes();
    var building = indexes.building();
    if (building.isPresent()) {
      indexes.delete(building.get());
    }
    indexes.allowWrites(indexes.requireLive());
  }

  /** Removes the indexes of earlier rebuilds, and returns their names. */
  public List<String> removeOld() throws InterruptedException {
    ReadModelIndexes indexes = model.indexes();
    List<String> unused = indexes.unused();
    for (String index : unused) {
      indexes.delete(index);
    }
    return unused;
  }
}
