package dev.once.spring;

import dev.once.StoreException;
import dev.once.events.ProcessedEvents;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Removes events from the registry that were handled long ago. */
record EventsPurge(
    EventConsumers consumers, ObjectProvider<ProcessedEvents> registry, Duration retention)
    implements AfterPurge {
  private static final Logger LOG = LoggerFactory.getLogger(EventsPurge.class);

  @Override
  public void afterPurge() {
    if (!consumers.hasRegistry()) {
      return;
    }
    try {
      long removed = registry.getObject().purge(retention);
      if (removed > 0) {
        LOG.info("purged {} processed events", removed);
      }
    } catch (StoreException e) {
      LOG.warn("purge of processed events failed, goes on next time: {}", e.toString());
    }
  }
}
