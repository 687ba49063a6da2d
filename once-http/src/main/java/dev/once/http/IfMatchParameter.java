package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.json.CanonicalJson;
import dev.once.json.JsonLimits;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code if_match} from the query or the JSON body of a request, for clients that cannot set
 * headers. Its value is one entity tag, with or without quotes, or a whole number in a body.
 */
final class IfMatchParameter {
  private static final String NAME = "if_match";
  private static final QueryParameter IN_QUERY = new QueryParameter(NAME);
  private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9][0-9]*");

  private final boolean allowed;
  private final CanonicalJson json;

  IfMatchParameter(Contract contract) {
    JsonLimits limits = JsonLimits.DEFAULTS.withMaxBytes(Math.max(1, contract.maxBodyBytes()));
    this.allowed = contract.ifMatch().parameterAllowed();
    this.json = CanonicalJson.standard().within(limits);
  }

  /**
   * Returns the call as a client with headers would have sent it: the tag is in If-Match, and
   * neither in the query nor in the body. A call without the parameter stays as it is.
   *
   * @throws RefusedException if a value is not one entity tag, or if two values differ
   */
  HttpCall moveToHeader(HttpCall call) {
    if (!allowed) {
      return call;
    }
    Optional<EntityTags> inQuery = inQuery(call);
    Optional<EntityTags> inBody = inBody(call, inQuery.isPresent() || !call.ifMatch().isEmpty());
    if (inQuery.isEmpty() && inBody.isEmpty()) {
      return call;
    }
    Set<EntityTags> sent = new LinkedHashSet<>();
    if (!call.ifMatch().isEmpty()) {
      sent.add(IfMatch.parse(call.ifMatch()));
    }
    inQuery.ifPresent(sent::add);
    inBody.ifPresent(sent::add);
    if (sent.size() > 1) {
      throw new RefusedException(
          Refusal.IF_MATCH_INVALID,
          "If-Match and if_match name different revisions: send one of them, or the same in both");
    }
    return call.with(
        IN_QUERY.removedFrom(call.query()),
        List.of(sent.iterator().next().toString()),
        inBody.isPresent() ? ((JsonBody) call.body()).without(json, NAME) : call.body());
  }

  private static Optional<EntityTags> inQuery(HttpCall call) {
    List<String> values;
    try {
      values = IN_QUERY.valuesIn(call.query());
    } catch (IllegalArgumentException e) {
      throw refuse("the query has an invalid escape");
    }
    if (values.size() > 1) {
      throw refuse("the query has it more than once; send it once");
    }
    return values.stream().findFirst().map(IfMatchParameter::tag);
  }

  /**
   * Returns the tag in the body; empty if there is none.
   *
   * @param sentElsewhere whether a body that cannot be read may be left to the handler
   */
  private Optional<EntityTags> inBody(HttpCall call, boolean sentElsewhere) {
    if (!(call.body() instanceof JsonBody body)) {
      return Optional.empty();
    }
    Optional<byte[]> member;
    try {
      member = body.member(json, NAME);
    } catch (JsonRefusedException e) {
      if (sentElsewhere || e.reason() == Reason.EMPTY) {
        return Optional.empty();
      }
      throw refuse("the body cannot be read: " + e.getMessage());
    }
    return member
        .map(it -> new String(it, UTF_8))
        .filter(it -> !it.equals("null"))
        .map(IfMatchParameter::text)
        .map(IfMatchParameter::tag);
  }

  /** Returns the text of a canonical string or number. */
  private static String text(String canonical) {
    if (WHOLE_NUMBER.matcher(canonical).matches()) {
      return canonical;
    }
    if (!canonical.startsWith("\"")) {
      throw refuse("in a body it must be a string or a whole number");
    }
    StringBuilder text = new StringBuilder();
    for (int i = 1; i < canonical.length() - 1; i++) {
      if (canonical.charAt(i) == '\\' && "\"\\".indexOf(canonical.charAt(++i)) < 0) {
        throw refuse("a control character is not part of an entity tag"); // All other escapes.
      }
      text.append(canonical.charAt(i));
    }
    return text.toString();
  }

  private static EntityTags tag(String value) {
    if (value.equals("*")) {
      return EntityTags.ANY;
    }
    boolean isQuoted = value.indexOf('"') >= 0;
    if (value.isEmpty() || (!isQuoted && value.indexOf(',') >= 0)) {
      throw refuse("it must be one entity tag, in quotes if it contains a comma");
    }
    try {
      EntityTag tag = isQuoted ? EntityTag.parse(value) : EntityTag.strong(value);
      return new EntityTags(false, List.of(tag));
    } catch (IllegalArgumentException e) {
      throw refuse(String.valueOf(e.getMessage()));
    }
  }

  private static RefusedException refuse(String detail) {
    return new RefusedException(Refusal.IF_MATCH_INVALID, "if_match: " + detail);
  }
}
