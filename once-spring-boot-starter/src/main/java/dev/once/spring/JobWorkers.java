package dev.once.spring;

import dev.once.Once;
import dev.once.Terms;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Runs jobs while the application runs. It starts last and stops first, so that running jobs still
 * have every bean that they need.
 */
final class JobWorkers implements SmartInitializingSingleton, SmartLifecycle {
  private final JobMethods methods;
  private final ObjectProvider<Jobs> jobs;
  private final Once once;
  private final Terms terms;
  private final OnceDatabase database;
  private final JobsProperties settings;
  private final JobQueues queues;
  private final List<JobHandlerSource> sources;
  private Workers.@Nullable Builder builder;
  private volatile @Nullable Workers workers;

  JobWorkers(
      JobMethods methods,
      ObjectProvider<Jobs> jobs,
      Once once,
      Terms terms,
      OnceDatabase database,
      JobsProperties settings,
      JobQueues queues,
      List<JobHandlerSource> sources) {
    this.methods = methods;
    this.jobs = jobs;
    this.once = once;
    this.terms = terms;
    this.database = database;
    this.settings = settings;
    this.queues = queues;
    this.sources = sources;
  }

  /** Refuses invalid handlers even if this process does not run jobs. */
  @Override
  public void afterSingletonsInstantiated() {
    List<JobMethod> handlers = methods.find();
    if (!handlers.isEmpty()) {
      requireAvailable(handlers);
    }
    boolean isIdle = handlers.isEmpty() && sources.stream().allMatch(JobHandlerSource::isEmpty);
    if (settings.workers() && !isIdle) {
      builder = builder(handlers, jobs.getObject());
    }
  }

  @Override
  public synchronized void start() {
    if (builder != null && workers == null) {
      workers = builder.start();
    }
  }

  @Override
  public synchronized void stop() {
    Workers running = workers;
    if (running != null) {
      running.close();
      workers = null;
    }
  }

  @Override
  public boolean isRunning() {
    return workers != null;
  }

  private void requireAvailable(List<JobMethod> handlers) {
    String first = handlers.get(0).where();
    if (jobs.getIfAvailable() == null) {
      throw new MisconfiguredException(
          first + " handles jobs, but " + database.dataSource().problem() + " to keep them in.",
          database
              .dataSource()
              .action("Configure spring.datasource.url for a PostgreSQL database."));
    }
    for (JobMethod it : handlers) {
      if (it.isTransactional() && database.manager().get() == null) {
        throw new MisconfiguredException(
            it.where() + " is transactional, but " + database.manager().problem() + ".",
            database.manager().action("Define one.") + " Or write mode = LEASED.");
      }
    }
  }

  private Workers.Builder builder(List<JobMethod> handlers, Jobs jobs) {
    Set<String> names =
        Stream.concat(
                handlers.stream().map(it -> it.settings().queue()),
                sources.stream().flatMap(JobHandlerSource::queues))
            .collect(Collectors.toSet());
    try {
      Workers.Builder all =
          Workers.over(jobs).pollInterval(settings.pollInterval()).drain(settings.drain());
      queues.queues(names).forEach(all::queue);
      handlers.forEach(
          it -> all.handle(it.settings().queue(), it.settings().type(), it.handler(once, terms)));
      sources.forEach(it -> it.addTo(all));
      return settings.notifies() ? all : all.withoutListen();
    } catch (IllegalArgumentException e) {
      throw misconfigured(e);
    }
  }

  static MisconfiguredException misconfigured(IllegalArgumentException e) {
    return new MisconfiguredException(
        String.valueOf(e.getMessage()) + ".",
        "Change the setting under once.jobs that this is about.");
  }
}
