package dev.once.examples.planning;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The revision that a client says it is changing, from the header {@code If-Match}.
 *
 * <p>Tags are compared strongly: a weak one never matches. {@code *} is refused, because it says
 * "whatever is there", which is what the header is to rule out.
 */
final class IfMatch {
  private static final String TAG = "(?:W/)?\"[!#-~]*\"";
  private static final Pattern TAGS = Pattern.compile(TAG + "(?:[ \t]*,[ \t]*" + TAG + ")*");
  private static final Pattern STRONG_TAG = Pattern.compile("(?<!W/)\"([!#-~]*)\"");

  private final List<String> fieldValues;

  IfMatch(List<String> fieldValues) {
    this.fieldValues = List.copyOf(fieldValues);
  }

  /** Throws {@link PreconditionException} unless the client named the current revision. */
  void require(String currentRevision) {
    String value = String.join(", ", fieldValues).trim();
    if (value.isEmpty()) {
      throw PreconditionException.missing();
    }
    if (!TAGS.matcher(value).matches()) {
      throw PreconditionException.invalid();
    }
    if (!strongTags(value).contains(currentRevision)) {
      throw PreconditionException.mismatch(currentRevision);
    }
  }

  private static List<String> strongTags(String value) {
    Matcher tags = STRONG_TAG.matcher(value);
    return tags.results().map(tag -> tag.group(1)).toList();
  }
}
