package dev.once.bench;

import java.util.List;

/** The median of some values: one disturbed round does not move it. */
final class Median {
  private Median() {}

  static double of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values to take the median of");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
