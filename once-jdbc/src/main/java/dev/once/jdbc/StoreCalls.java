package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Calls the database of a tenant. Each call has one connection and one transaction. */
final class StoreCalls {
  /** A call about many records may take longer than a call about one of them. */
  private static final Duration MAINTENANCE_TIMEOUT = Duration.ofMinutes(5);

  private final DataSource dataSource;
  private final TransactionRunner work;
  private final TransactionRunner maintenance;
  private final StoreThreads threads;
  private final @Nullable TenantRouting routing;

  StoreCalls(DataSource dataSource, Duration timeout, @Nullable TenantRouting routing) {
    this.dataSource = dataSource;
    this.work = new TransactionRunner(dataSource, timeout);
    this.maintenance = new TransactionRunner(dataSource, MAINTENANCE_TIMEOUT);
    this.threads =
        routing == null
            ? StoreThreads.of(dataSource, timeout)
            : StoreThreads.withoutDirectCalls(timeout);
    this.routing = routing;
  }

  StoreThreads threads() {
    return threads;
  }

  /** Returns whether calls of several tenants may share a connection. */
  boolean haveOneDatabase() {
    return routing == null;
  }

  void requireSchema() {
    forEachDatabase(
        () -> {
          JdbcSchema.check(dataSource);
          return dataSource;
        });
  }

  /** Runs a step about one record. */
  <T> T call(String what, Key key, TransactionRunner.Step<T> step) {
    return threads.call(() -> within(key.tenant(), () -> work.run(what, key, step)));
  }

  /** Runs a short step about records of one tenant. */
  <T> T call(String what, String tenant, TransactionRunner.Step<T> step) {
    return threads.call(() -> within(tenant, () -> work.run(what, step)));
  }

  /** Runs a step about records of one tenant that may take longer. */
  <T> T maintain(String what, String tenant, TransactionRunner.Step<T> step) {
    return threads.call(
        () -> within(tenant, () -> maintenance.run(what, step)), MAINTENANCE_TIMEOUT);
  }

  /** Runs a step about records of all tenants, in each database. */
  <T> List<T> maintainAll(String what, TransactionRunner.Step<T> step) {
    return forEachDatabase(() -> maintenance.run(what, step));
  }

  /** Runs a step about one record, on the current thread. */
  <T> T callHere(String what, Key key, TransactionRunner.Step<T> step) {
    return within(key.tenant(), () -> work.run(what, key, step));
  }

  /** Runs a step about several records in the only database, on the current thread. */
  <T> T callHere(String what, TransactionRunner.Step<T> step) {
    return work.run(what, step);
  }

  private <T> List<T> forEachDatabase(Supplier<T> call) {
    return routing == null
        ? List.of(threads.call(call, MAINTENANCE_TIMEOUT))
        : routing.tenants().stream()
            .map(tenant -> threads.call(() -> within(tenant, call), MAINTENANCE_TIMEOUT))
            .toList();
  }

  private <T> T within(String tenant, Supplier<T> call) {
    if (routing == null) {
      return call.get();
    }
    AtomicReference<@Nullable T> answer = new AtomicReference<>();
    routing.within(tenant, () -> answer.set(call.get()));
    T given = answer.get();
    if (given == null) {
      throw new IllegalStateException("the routing of tenant " + tenant + " did not run the call");
    }
    return given;
  }
}
