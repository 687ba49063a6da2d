package dev.once.spring;

import dev.once.internal.Listeners;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobListener;
import java.util.List;
import java.util.function.Consumer;

/**
 * Publishes job events to all listeners. The events of an enqueued job are published after the
 * commit of its transaction, and not at all if that is rolled back.
 */
final class CommittedJobEvents implements JobListener {
  private final List<Consumer<JobEvent>> listeners;

  CommittedJobEvents(List<JobListener> listeners) {
    // Guarded: otherwise an exception of a listener would reach the caller that commits.
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
