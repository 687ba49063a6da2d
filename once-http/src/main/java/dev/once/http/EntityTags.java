package dev.once.http;

import static java.util.stream.Collectors.joining;

import dev.once.http.FieldRefusedException.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * The value of {@code If-Match} or {@code If-None-Match}: a list of entity tags, or {@code *}.
 *
 * @param any whether the field was {@code *}; the list is empty then
 * @param list the tags in the order received, 1 to 100 unless {@code any}
 */
public record EntityTags(boolean any, List<EntityTag> list) {
  public static final EntityTags ANY = new EntityTags(true, List.of());

  /** The limit of all lines together. Common servers accept 8 KiB of headers. */
  public static final int MAX_CHARS = 8 * 1024;

  public static final int MAX_TAGS = 100;

  /** Senders that merge lists leave some; RFC 9110 requires a reasonable number to be ignored. */
  private static final int MAX_EMPTY_ELEMENTS = 100;

  public EntityTags {
    list = List.copyOf(list);
    int min = any ? 0 : 1;
    int max = any ? 0 : MAX_TAGS;
    if (list.size() < min || list.size() > max) {
      throw new IllegalArgumentException(
          "number of entity tags must be %d to %d, got %d".formatted(min, max, list.size()));
    }
  }

  /**
   * Reads all lines of the field as one list. A field without any tag is refused: for {@code
   * If-None-Match} it would mean no condition, which no client intends.
   *
   * @throws FieldRefusedException if the lines are neither {@code *} alone nor a list of tags
   */
  public static EntityTags parse(List<String> lines) {
    // A tag contains no space, so no tag can begin in one line and end in the next.
    FieldReader r = new FieldReader(String.join(", ", lines), MAX_CHARS);
    r.skipAll(EntityTags::isBlank);
    if (r.skip('*')) {
      r.skipAll(EntityTags::isBlank);
      return end(r, Reason.ANY_NOT_ALONE, ANY);
    }
    List<EntityTag> tags = elements(r);
    if (tags.isEmpty()) {
      throw r.refuse(Reason.EMPTY);
    }
    return end(r, Reason.SYNTAX, new EntityTags(false, tags));
  }

  private static List<EntityTag> elements(FieldReader r) {
    List<EntityTag> tags = new ArrayList<>();
    int empty = 0;
    do {
      r.skipAll(EntityTags::isBlank);
      int next = r.peek();
      boolean isEmpty = next == ',' || next == FieldReader.END;
      if (next == '*') {
        throw r.refuse(Reason.ANY_NOT_ALONE);
      }
      if (isEmpty ? ++empty > MAX_EMPTY_ELEMENTS : tags.size() == MAX_TAGS) {
        throw r.refuse(Reason.TOO_MANY_ELEMENTS);
      }
      if (!isEmpty) {
        tags.add(EntityTag.read(r));
        r.skipAll(EntityTags::isBlank);
      }
    } while (r.skip(','));
    return tags;
  }

  private static EntityTags end(FieldReader r, Reason otherwise, EntityTags tags) {
    if (!r.atEnd()) {
      throw r.refuse(otherwise);
    }
    return tags;
  }

  /** Returns the tags as they are in a header. */
  @Override
  public String toString() {
    return any ? "*" : list.stream().map(EntityTag::toString).collect(joining(", "));
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }
}
