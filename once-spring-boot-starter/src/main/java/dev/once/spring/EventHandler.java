package dev.once.spring;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The methods of one handler.
 *
 * @param byType the methods by the types of events that they take
 * @param others the method for all other types; null if there is none
 */
record EventHandler(
    String name,
    Set<String> topics,
    List<EventMethod> methods,
    Map<String, EventMethod> byType,
    @Nullable EventMethod others) {

  /** Returns the handlers in the order of their names. */
  static List<EventHandler> of(List<EventMethod> methods) {
    Map<String, List<EventMethod>> byHandler = new TreeMap<>();
    for (EventMethod it : methods) {
      byHandler.computeIfAbsent(it.settings().handler(), name -> new ArrayList<>()).add(it);
    }
    return byHandler.entrySet().stream().map(it -> of(it.getKey(), it.getValue())).toList();
  }

  private static EventHandler of(String name, List<EventMethod> methods) {
    EventMethod first = methods.get(0);
    Set<String> topics = new LinkedHashSet<>();
    Map<String, EventMethod> byType = new HashMap<>();
    EventMethod others = null;
    for (EventMethod it : methods) {
      requireSameMode(first, it);
      topics.addAll(List.of(it.settings().topics()));
      for (String type : it.settings().types()) {
        requireOnly(byType.put(type, it), it, "events of type " + type);
      }
      if (it.settings().types().length == 0) {
        requireOnly(others, it, "events of all types that no other method handles");
        others = it;
      }
    }
    return new EventHandler(name, topics, methods, byType, others);
  }

  boolean isTransactional() {
    return methods.get(0).settings().mode() == OnceEvent.Mode.TRANSACTIONAL;
  }

  String where() {
    return methods.get(0).where();
  }

  /** Calls the method for the type of the event, and returns whether there is one. */
  boolean handle(Event event, @Nullable EventExecution execution) throws Exception {
    EventMethod method = byType.getOrDefault(event.content().type(), others);
    if (method != null) {
      method.call(event, execution);
    }
    return method != null;
  }

  private static void requireSameMode(EventMethod first, EventMethod it) {
    if (it.settings().mode() != first.settings().mode()) {
      throw new MisconfiguredException(
          "%s is %s, but %s of the same handler is %s."
              .formatted(
                  first.where(),
                  first.settings().mode().name(),
                  it.where(),
                  it.settings().mode().name()),
          "Give both the same mode, or one of them another handler.");
    }
  }

  private static void requireOnly(@Nullable EventMethod other, EventMethod it, String what) {
    if (other != null) {
      throw new MisconfiguredException(
          "%s and %s of the handler %s both handle %s."
              .formatted(it.where(), other.where(), it.settings().handler(), what),
          "Give one of them other types or another handler: only one can handle an event.");
    }
  }
}
