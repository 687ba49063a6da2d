package dev.once.bench;

import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The parts as the command line calls them. */
final class PartNames implements ITypeConverter<Part>, Iterable<String> {
  @Override
  public Part convert(String name) {
    return Arrays.stream(Part.values())
        .filter(it -> it.label().equals(name))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("there is no part " + name));
  }

  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(Part.values()).map(Part::label).iterator();
  }
}
