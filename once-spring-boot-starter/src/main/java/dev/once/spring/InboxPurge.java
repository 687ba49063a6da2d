package dev.once.spring;

import dev.once.StoreException;
import dev.once.inbox.Inbox;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the remembered states of objects about which providers no longer report. */
record InboxPurge(Inbox inbox) implements AfterPurge {
  private static final Logger LOG = LoggerFactory.getLogger(InboxPurge.class);
  private static final int BATCH = 1000;

  /** The next run removes the rest. */
  private static final int MAX_BATCHES = 100;

  @Override
  public void afterPurge() {
    try {
      for (int i = 0; i < MAX_BATCHES && inbox.purge(BATCH) == BATCH; i++) {}
    } catch (StoreException e) {
      LOG.warn("purge of the inbox failed, goes on next time: {}", e.toString());
    }
  }
}
