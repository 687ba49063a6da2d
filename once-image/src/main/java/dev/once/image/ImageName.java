package dev.once.image;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name and the tag of an image.
 *
 * @param repository such as {@code once-gateway} or {@code registry.example.com/team/once-gateway}
 * @param tag such as {@code 1.0.0}
 */
record ImageName(String repository, String tag) {
  private static final String PART = "[a-z0-9]+(?:[._-]+[a-z0-9]+)*";
  private static final Pattern NAME =
      Pattern.compile(
          "((?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::[0-9]{1,5})?/)?"
              + PART
              + "(?:/"
              + PART
              + ")*):([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})");

  private static final int MAX_CHARACTERS = 300;

  static ImageName parse(String text) {
    Matcher name = NAME.matcher(text.length() > MAX_CHARACTERS ? "" : text);
    if (!name.matches()) {
      throw new ImageException(
          "name must be a repository and a tag, as in once-gateway:1.0.0 or"
              + " registry.example.com/once-gateway:1.0.0, got "
              + text);
    }
    return new ImageName(name.group(1), name.group(2));
  }

  /** Returns it with the registry that engines add to a name without one. */
  String inFull() {
    return repository.contains("/") ? toString() : "docker.io/library/" + this;
  }

  @Override
  public String toString() {
    return repository + ":" + tag;
  }
}
