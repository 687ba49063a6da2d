package dev.once.bench;

import java.util.Arrays;
import java.util.Iterator;

/** The parts as the command line calls them. */
final class PartNames implements Iterable<String> {
  static Part part(String name) {
    return Arrays.stream(Part.values())
        .filter(it -> it.label().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no part " + name));
  }

  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(Part.values()).map(Part::label).iterator();
  }
}
