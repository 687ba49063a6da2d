package dev.once.workflow;

import dev.once.Codec;
import dev.once.internal.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names one version of a workflow, and says how its input and its value are stored. A run stays
 * with the version that it was started with: a change of the calls that the code makes is a new
 * version, and both are registered until the runs of the old one have ended. Immutable, so it can
 * be a constant.
 */
public final class Workflow<I extends @Nullable Object, O extends @Nullable Object> {
  public static final int MAX_NAME_CHARS = 48;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_NAME_CHARS + "}");

  private final String name;
  private final int version;
  private final Codec<I> input;
  private final Codec<O> value;

  private Workflow(String name, int version, Codec<I> input, Codec<O> value) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "workflow must have 1 to %d characters of A-Z, a-z, 0-9, '.', '_' and '-', got %s"
              .formatted(MAX_NAME_CHARS, name));
    }
    Limits.range("version", version, 1, Integer.MAX_VALUE);
    this.name = name;
    this.version = version;
    this.input = input;
    this.value = value;
  }

  /**
   * Returns a version of a workflow.
   *
   * @param name 1 to 48 characters of A-Z, a-z, 0-9, '.', '_' and '-'
   * @param version 1 or more
   */
  public static <I extends @Nullable Object, O extends @Nullable Object> Workflow<I, O> of(
      String name, int version, Codec<I> input, Codec<O> value) {
    return new Workflow<>(name, version, input, value);
  }

  public String name() {
    return name;
  }

  public int version() {
    return version;
  }

  public Codec<I> input() {
    return input;
  }

  public Codec<O> value() {
    return value;
  }

  @Override
  public String toString() {
    return name + " version " + version;
  }
}
