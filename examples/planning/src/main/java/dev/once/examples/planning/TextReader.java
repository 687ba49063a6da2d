package dev.once.examples.planning;

import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonParser;

/** Reads text unchanged. */
@JacksonComponent
final class TextReader extends MemberReader<String> {
  @Override
  String read(JsonParser parser, String text) {
    return text;
  }
}
