package dev.once.testkit.internal;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes records, such as events, for tests that need one of every type and no certain one. */
public final class RecordSamples {
  private static final Map<Class<?>, Object> COMMON =
      Map.of(
          String.class,
          "a",
          int.class,
          1,
          long.class,
          1L,
          boolean.class,
          true,
          Duration.class,
          Duration.ofSeconds(1),
          Instant.class,
          Instant.EPOCH,
          Optional.class,
          Optional.empty(),
          Throwable.class,
          new IllegalStateException("a"),
          Exception.class,
          new IllegalStateException("a"));

  private final Map<Class<?>, Object> samples = new HashMap<>(COMMON);

  /** Makes records of common values, enums, other records, and of {@code others} by their types. */
  public RecordSamples(Map<Class<?>, Object> others) {
    samples.putAll(others);
  }

  /** Returns a record of a type. */
  public <T> T of(Class<T> type) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = value(components[i].getType());
    }
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    return type.getDeclaredConstructor(types).newInstance(values);
  }

  private Object value(Class<?> type) throws ReflectiveOperationException {
    Object sample = samples.get(type);
    if (sample != null) {
      return sample;
    } else if (type.isEnum()) {
      return type.getEnumConstants()[0];
    } else if (type.isRecord()) {
      return of(type);
    }
    throw new IllegalStateException("RecordSamples needs a sample of " + type);
  }
}
