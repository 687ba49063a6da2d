package dev.once.examples.planning;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.util.AccessPattern;

/**
 * Reads a member of the JSON type string; other types are refused, not converted.
 *
 * <p>No member of this API can be null. A PATCH leaves out what it does not change, so a null there
 * is an error; a record has null only for an absent member.
 */
abstract class MemberReader<T> extends ValueDeserializer<T> {
  abstract T read(JsonParser parser, String text);

  @Override
  public T deserialize(JsonParser parser, DeserializationContext context) {
    if (!parser.hasToken(JsonToken.VALUE_STRING)) {
      throw new MemberException(parser, "must be a string");
    }
    return read(parser, parser.getString());
  }

  @Override
  public T getNullValue(DeserializationContext context) {
    throw new MemberException(context.getParser(), "must not be null");
  }

  @Override
  public @Nullable T getAbsentValue(DeserializationContext context) {
    return null;
  }

  @Override
  public AccessPattern getNullAccessPattern() {
    return AccessPattern.DYNAMIC;
  }
}
