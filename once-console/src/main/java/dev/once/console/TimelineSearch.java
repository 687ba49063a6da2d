package dev.once.console;

import java.util.Optional;

/**
 * One way to find what has to do with a key or an id, page by page.
 *
 * @param what it searches, for users: {@code finished jobs}
 * @param readsAll whether no index helps, so that it comes after the others
 */
record TimelineSearch(String what, boolean readsAll, Pages pages) {
  /** Reads pages. */
  interface Pages {
    /**
     * Adds what a page has.
     *
     * @param after what the page before returned
     * @return where the next page starts; empty if there is none
     */
    Optional<String> read(Subject subject, Optional<String> after, TimelineEntries into);
  }

  /**
   * What is searched, in a tenant that {@code user} sees.
   *
   * @param key a key, the name of a run, the id of an event, or a correlation id
   */
  record Subject(String tenant, String key, ConsoleUser user) {}

  Optional<String> read(Subject subject, Optional<String> after, TimelineEntries into) {
    return pages.read(subject, after, into);
  }
}
