package dev.once.http;

import java.util.List;
import java.util.Map;

/**
 * The revision that a request says it changes, by If-Match. A handler loads the resource, calls
 * {@link #require} and changes it, in one transaction or with the revision in its own {@code
 * WHERE}.
 */
public final class IfMatch {
  private final Contract contract;
  private final List<String> lines;

  private IfMatch(Contract contract, List<String> lines) {
    this.contract = contract;
    this.lines = List.copyOf(lines);
  }

  /** What all {@code lines} of If-Match together say, none if the header is absent. */
  public static IfMatch of(Contract contract, List<String> lines) {
    return new IfMatch(contract, lines);
  }

  /**
   * Goes on only if the client knows the current revision. The comparison is strong: a weak tag
   * never matches.
   *
   * @throws RefusedException if the header is missing where the contract requires it, cannot be
   *     read, or names other revisions
   */
  public void require(EntityTag current) {
    if (lines.isEmpty()) {
      if (contract.ifMatch().required()) {
        throw new RefusedException(
            Refusal.IF_MATCH_REQUIRED,
            "send the ETag of the revision you change in If-Match, which a GET returns, and a new key");
      }
      return;
    }
    EntityTags tags = parse();
    if (tags.any()) {
      if (!contract.ifMatch().wildcardAllowed()) {
        throw new RefusedException(
            Refusal.IF_MATCH_INVALID, "If-Match must name a revision: * is not accepted here");
      }
      return;
    }
    if (tags.list().stream().noneMatch(current::matchesStrongly)) {
      throw mismatch(current);
    }
  }

  /** The refusal of a change that came too late, also when it is noticed only while writing. */
  public static RefusedException mismatch(EntityTag current) {
    return new RefusedException(
        Refusal.VERSION_MISMATCH,
        "the resource has changed since the revision in If-Match: read it again and reapply your"
            + " change, with a new key",
        Map.of("current_revision", current.toString()));
  }

  private EntityTags parse() {
    try {
      return EntityTags.parse(lines);
    } catch (FieldRefusedException e) {
      throw new RefusedException(Refusal.IF_MATCH_INVALID, "If-Match: " + e.getMessage());
    }
  }
}
