package dev.once.spring;

import dev.once.jobs.JobRun;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;
import tools.jackson.databind.json.JsonMapper;

/** Finds the methods of all beans that handle jobs, and refuses invalid ones. */
record JobMethods(ConfigurableListableBeanFactory beans, Supplier<JsonMapper> mapper) {
  private static final int NEVER_CALLED_BY_PROXY =
      Modifier.PRIVATE | Modifier.FINAL | Modifier.STATIC;

  List<JobMethod> find() {
    List<JobMethod> found = new ArrayList<>();
    AnnotatedJobs.in(beans, (name, type, method, job) -> found.add(of(name, type, method, job)));
    refuseRivals(found);
    return found;
  }

  private JobMethod of(String name, Class<?> type, Method method, OnceJob job) {
    if ((method.getModifiers() & NEVER_CALLED_BY_PROXY) != 0 || !beans.isSingleton(name)) {
      throw new MisconfiguredException(
          JobMethod.where(method) + " is never called: Spring cannot call it on a singleton bean.",
          "Make the method neither private nor final nor static, and its bean a singleton.");
    }
    if (isAsync(method) || isAsync(type)) {
      throw new MisconfiguredException(
          JobMethod.where(method) + " is @Async, so it returns before its job is done.",
          "Leave out @Async: workers call the method on threads of their own.");
    }
    if (method.getReturnType() != void.class) {
      throw new MisconfiguredException(
          JobMethod.where(method) + " returns a value, but nothing receives it.",
          "Let the method return nothing, and only when its job is done.");
    }
    Object bean = beans.getBean(name);
    return new JobMethod(job, bean, invocable(method, bean), arguments(method, type));
  }

  private static boolean isAsync(AnnotatedElement element) {
    return AnnotatedElementUtils.hasAnnotation(element, Async.class);
  }

  private static Method invocable(Method method, Object bean) {
    try {
      Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
      ReflectionUtils.makeAccessible(invocable);
      return invocable;
    } catch (IllegalStateException e) {
      throw new MisconfiguredException(
          JobMethod.where(method) + " cannot be called through the proxy of its bean.",
          "Add the method to the interface that the bean is known by, or proxy its class.");
    }
  }

  private List<JobArgument> arguments(Method method, Class<?> type) {
    List<Type> types =
        Stream.of(method.getGenericParameterTypes())
            .map(it -> GenericTypeResolver.resolveType(it, type))
            .toList();
    long runs = types.stream().filter(JobRun.class::equals).count();
    if (runs > 1 || types.size() - runs > 1) {
      throw new MisconfiguredException(
          JobMethod.where(method) + " has more than one parameter for the payload, or for the run.",
          "Declare at most one parameter for the payload and one of type JobRun.");
    }
    return types.stream().map(this::argument).toList();
  }

  private JobArgument argument(Type type) {
    return type.equals(JobRun.class) ? JobArgument.RUN : JobArgument.payload(type, mapper.get());
  }

  private static void refuseRivals(List<JobMethod> methods) {
    Map<String, JobMethod> byType = new HashMap<>();
    for (JobMethod it : methods) {
      String type = it.settings().type() + " in queue " + it.settings().queue();
      JobMethod other = byType.putIfAbsent(type, it);
      if (other != null) {
        throw new MisconfiguredException(
            it.where() + " and " + other.where() + " both handle jobs of type " + type + ".",
            "Give one of them another type: only one can run a job.");
      }
    }
  }
}
