package dev.once.examples.planning;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;

/** A JSON member with a value that its reader refuses, with a message for the client. */
final class MemberException extends DatabindException {
  private static final long serialVersionUID = 1L;

  MemberException(JsonParser parser, String message) {
    super(parser, message);
  }
}
