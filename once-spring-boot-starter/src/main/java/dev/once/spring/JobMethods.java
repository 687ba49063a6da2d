package dev.once.spring;

import dev.once.jobs.JobRun;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.GenericTypeResolver;
import tools.jackson.databind.json.JsonMapper;

/** Finds the methods of all beans that handle jobs, and refuses invalid ones. */
record JobMethods(ConfigurableListableBeanFactory beans, Supplier<JsonMapper> mapper) {
  List<JobMethod> find() {
    List<JobMethod> found = new ArrayList<>();
    AnnotatedMethods.in(
        beans, OnceJob.class, (name, type, method, job) -> found.add(of(name, type, method, job)));
    refuseRivals(found);
    return found;
  }

  private JobMethod of(String name, Class<?> type, Method method, OnceJob job) {
    BeanMethod called = BeanMethod.of(beans, name, type, method, JobMethod.where(method));
    return new JobMethod(job, called, arguments(method, type));
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
