package dev.once.spring;

import dev.once.jobs.JobEvent;
import dev.once.jobs.JobListener;
import dev.once.spi.Listeners;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells everybody what happens to jobs. That one was enqueued is told after the commit of the
 * transaction it was enqueued in, and not at all if that is rolled back.
 */
final class CommittedJobEvents implements JobListener {
  private final List<Consumer<JobEvent>> listeners;

  CommittedJobEvents(List<JobListener> listeners) {
    // Each by itself: what one throws after a commit would otherwise reach whoever committed.
    this.listeners = listeners.stream().map(it -> Listeners.<JobEvent>guarded(it::on)).toList();
  }

  @Override
  public void on(JobEvent event) {
    if (event instanceof JobEvent.Added || event instanceof JobEvent.Joined) {
      AfterCommit.run(() -> tell(event));
    } else {
      tell(event);
    }
  }

  private void tell(JobEvent event) {
    listeners.forEach(listener -> listener.accept(event));
  }
}
