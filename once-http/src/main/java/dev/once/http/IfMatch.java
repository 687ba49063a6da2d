package dev.once.http;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The revision that a request wants to change, from If-Match or, where the contract allows it, from
 * {@code if_match} in the query or the JSON body. A handler loads the resource, calls {@link
 * #require} and changes it, in one transaction or with the revision in its own {@code WHERE}.
 */
public final class IfMatch {
  private final Contract contract;
  private final Supplier<List<String>> lines;

  private IfMatch(Contract contract, Supplier<List<String>> lines) {
    this.contract = contract;
    this.lines = lines;
  }

  /** Reads all {@code lines} of If-Match; the list is empty if the header is absent. */
  public static IfMatch of(Contract contract, List<String> lines) {
    List<String> copy = List.copyOf(lines);
    return new IfMatch(contract, () -> copy);
  }

  /** Reads If-Match, and {@code if_match} in query and body where the contract allows it. */
  public static IfMatch of(Contract contract, HttpCall call) {
    return new IfMatch(contract, () -> new IfMatchParameter(contract).moveToHeader(call).ifMatch());
  }

  /**
   * Returns normally only if the client knows the current revision. The comparison is strong: a
   * weak tag never matches.
   *
   * @throws RefusedException if the revision is missing where the contract requires it, cannot be
   *     read, is not the same in all places, or is another one
   */
  public void require(EntityTag current) {
    List<String> sent = lines.get();
    if (sent.isEmpty()) {
      if (contract.ifMatch().required()) {
        throw new RefusedException(
            Refusal.IF_MATCH_REQUIRED,
            "send the ETag of the revision you change in If-Match, which a GET returns, and a new key");
      }
      return;
    }
    EntityTags tags = parse(sent);
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

  /** Returns the refusal of an outdated change, also for conflicts that only the write detects. */
  public static RefusedException mismatch(EntityTag current) {
    return new RefusedException(
        Refusal.VERSION_MISMATCH,
        "the resource has changed since the revision in If-Match: read it again and reapply your"
            + " change, with a new key",
        Map.of("current_revision", current.toString()));
  }

  static EntityTags parse(List<String> lines) {
    try {
      return EntityTags.parse(lines);
    } catch (FieldRefusedException e) {
      throw new RefusedException(Refusal.IF_MATCH_INVALID, "If-Match: " + e.getMessage());
    }
  }
}
