package dev.once.examples.offline;

import java.util.List;
import java.util.Random;
import java.util.UUID;

/** The operations that are written: the same ones for the same seed. */
final class Rooms {
  private static final List<String> NAMES =
      List.of("Kitchen", "Bedroom", "Bathroom", "Hall", "Study", "Attic", "Cellar", "Garden");

  private final Random random;
  private int number;

  Rooms(long seed) {
    this.random = new Random(seed);
  }

  /** Returns a new operation, with its id and, separate from it, its key. */
  synchronized PhoneCommand next() {
    number++;
    return new PhoneCommand(
        PhoneCommand.Kind.WRITE,
        uuid().toString(),
        uuid().toString(),
        NAMES.get(random.nextInt(NAMES.size())) + " " + number);
  }

  /** Returns a UUID of version 4, which contract {@code mobile} asks for. */
  private UUID uuid() {
    long version4 = (random.nextLong() & ~0xf000L) | 0x4000L;
    long variant2 = (random.nextLong() & ~(3L << 62)) | (2L << 62);
    return new UUID(version4, variant2);
  }
}
