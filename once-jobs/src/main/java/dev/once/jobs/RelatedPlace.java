package dev.once.jobs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a page of related jobs ended: after the job with this key and id in this queue.
 *
 * @param queue empty before the first queue
 * @param key empty before the first job of the queue
 */
record RelatedPlace(String queue, long id, String key) {
  static final RelatedPlace START = new RelatedPlace("", 0, "");

  /** No queue and no number has a slash. */
  private static final Pattern TEXT = Pattern.compile("([^/]+)/(\\d{1,18})/(.*)", Pattern.DOTALL);

  static RelatedPlace before(String queue) {
    return new RelatedPlace(queue, 0, "");
  }

  boolean isInAQueue() {
    return !queue.isEmpty();
  }

  String text() {
    return queue + "/" + id + "/" + key;
  }

  static RelatedPlace of(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("after must be next of the page before");
    }
    return new RelatedPlace(parts.group(1), Long.parseLong(parts.group(2)), parts.group(3));
  }
}
