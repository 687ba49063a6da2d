package dev.once.spring;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method that handles events. */
record EventMethod(OnceEvent settings, BeanMethod called, List<EventArgument> arguments) {
  void call(Event event, @Nullable EventExecution execution) throws Exception {
    EventContext.begin(settings.handler(), event);
    try {
      @Nullable Object[] values = arguments.stream().map(it -> it.of(event, execution)).toArray();
      called.call(values);
    } finally {
      EventContext.end();
    }
  }

  String where() {
    return where(called.method());
  }

  static String where(Method method) {
    return "@OnceEvent on " + method.getDeclaringClass().getName() + "." + method.getName();
  }
}
