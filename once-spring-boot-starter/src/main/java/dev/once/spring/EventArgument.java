package dev.once.spring;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import dev.once.events.UnprocessableEventException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Takes the argument for a method's parameter from an event. */
@FunctionalInterface
interface EventArgument {
  /** The event itself. */
  EventArgument EVENT = (event, execution) -> event;

  /** The attempt. */
  EventArgument EXECUTION = (event, execution) -> execution;

  /** Returns the argument; {@code execution} is null in a transaction. */
  @Nullable Object of(Event event, @Nullable EventExecution execution);

  /** Returns an argument that reads the data of an event as {@code type}. */
  static EventArgument data(Type type, JsonMapper mapper) {
    if (type == byte[].class) {
      return (event, execution) -> event.content().data();
    }
    if (type == String.class) {
      return (event, execution) -> new String(event.content().data(), StandardCharsets.UTF_8);
    }
    JavaType read = mapper.constructType(type);
    return (event, execution) -> read(event, read, mapper);
  }

  private static @Nullable Object read(Event event, JavaType type, JsonMapper mapper) {
    try {
      return mapper.readValue(event.content().data(), type);
    } catch (JacksonException e) {
      // No attempt can succeed, and Jackson's message may quote the data.
      throw new UnprocessableEventException(
          "its data is not %s: %s at %s"
              .formatted(
                  type.toCanonical(),
                  e.getClass().getSimpleName(),
                  e.getLocation() == null ? "its end" : e.getLocation().offsetDescription()));
    }
  }
}
