package dev.once.json;

/** Sorts ints by a custom comparison: in place when few, and in n log n steps at worst. */
final class MergeSort {
  // Objects rarely have more members, and below this insertion beats merging.
  private static final int RUN = 16;

  private MergeSort() {}

  /** A total order of ints. */
  interface Order {
    int compare(int a, int b);
  }

  /**
   * Sorts the first {@code count} of {@code items}; {@code spare} is as long and is overwritten.
   */
  static void sort(int[] items, int[] spare, int count, Order order) {
    for (int from = 0; from < count; from += RUN) {
      insert(items, from, Math.min(from + RUN, count), order);
    }
    for (int width = RUN; width < count; width *= 2) {
      for (int from = 0; from + width < count; from += 2 * width) {
        merge(items, spare, from, from + width, Math.min(from + 2 * width, count), order);
      }
    }
  }

  private static void insert(int[] items, int from, int to, Order order) {
    for (int i = from + 1; i < to; i++) {
      int item = items[i];
      int at = i;
      while (at > from && order.compare(items[at - 1], item) > 0) {
        items[at] = items[at - 1];
        at--;
      }
      items[at] = item;
    }
  }

  private static void merge(int[] items, int[] spare, int from, int mid, int to, Order order) {
    if (order.compare(items[mid - 1], items[mid]) <= 0) {
      return;
    }
    System.arraycopy(items, from, spare, from, mid - from);
    int left = from;
    int right = mid;
    for (int at = from; left < mid; at++) {
      boolean takeRight = right < to && order.compare(spare[left], items[right]) > 0;
      items[at] = takeRight ? items[right++] : spare[left++];
    }
  }
}
