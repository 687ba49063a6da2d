package dev.once.bench;

/**
 * A way to do the work of a benchmark: Once's, a product's, a common pattern, or by hand. All
 * contestants of a comparison use the same servers, pools and numbers of threads, have their tables
 * and indexes as their authors recommend, and are otherwise tuned for speed.
 *
 * @param note what a table says about it: the commits that it takes, the settings that matter
 * @param work what it does, the same for all contestants of a comparison. Thread-safe
 */
record Contestant<W>(String name, String note, W work) {
  boolean isOnce() {
    return name.startsWith("Once");
  }
}
