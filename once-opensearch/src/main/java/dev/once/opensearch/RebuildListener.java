package dev.once.opensearch;

import dev.once.events.Event;

/** Is notified of what a rebuild does, on its thread. */
public interface RebuildListener {
  /** Does nothing. */
  RebuildListener NONE =
      new RebuildListener() {
        @Override
        public void progress(RebuildProgress progress) {}

        @Override
        public void rejected(Event event, String reason) {}
      };

  /** Called after every page of the log. */
  void progress(RebuildProgress progress);

  /** Called for an event whose document was refused; the projection gives it up as well. */
  void rejected(Event event, String reason);
}
