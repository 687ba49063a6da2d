package dev.once.spring;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.GenericTypeResolver;
import tools.jackson.databind.json.JsonMapper;

/** Finds the methods of all beans that handle events, and refuses invalid ones. */
record EventMethods(ConfigurableListableBeanFactory beans, Supplier<JsonMapper> mapper) {
  List<EventMethod> find() {
    List<EventMethod> found = new ArrayList<>();
    AnnotatedMethods.in(
        beans,
        OnceEvent.class,
        (name, type, method, event) -> found.add(of(name, type, method, event)));
    return found;
  }

  private EventMethod of(String name, Class<?> type, Method method, OnceEvent event) {
    BeanMethod called = BeanMethod.of(beans, name, type, method, EventMethod.where(method));
    return new EventMethod(event, called, arguments(method, type, event.mode()));
  }

  private List<EventArgument> arguments(Method method, Class<?> type, OnceEvent.Mode mode) {
    List<Type> types =
        Stream.of(method.getGenericParameterTypes())
            .map(it -> GenericTypeResolver.resolveType(it, type))
            .toList();
    long events = types.stream().filter(Event.class::equals).count();
    long executions = types.stream().filter(EventExecution.class::equals).count();
    long data = types.size() - events - executions;
    if (events > 1 || executions > 1 || data > 1 || events + data == 0) {
      throw new MisconfiguredException(
          EventMethod.where(method) + " must take an event, its data, or both, each once.",
          "Declare one parameter of type Event, one for the data, or both, and at most one of type"
              + " EventExecution.");
    }
    if (executions > 0 && mode == OnceEvent.Mode.TRANSACTIONAL) {
      throw new MisconfiguredException(
          EventMethod.where(method) + " is transactional and takes an EventExecution.",
          "Leave the parameter out: the transaction takes effect once, without a fence.");
    }
    return types.stream().map(this::argument).toList();
  }

  private EventArgument argument(Type type) {
    if (type.equals(Event.class)) {
      return EventArgument.EVENT;
    }
    return type.equals(EventExecution.class)
        ? EventArgument.EXECUTION
        : EventArgument.data(type, mapper.get());
  }
}
