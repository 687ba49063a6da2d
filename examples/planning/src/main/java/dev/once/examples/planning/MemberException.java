package dev.once.examples.planning;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;

/** Thrown for a JSON member with an invalid value; the message is for the client. */
final class MemberException extends DatabindException {
  private static final long serialVersionUID = 1L;

  MemberException(JsonParser parser, String message) {
    super(parser, message);
  }
}
