package dev.once.workflow;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.testkit.Program;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** A process that runs {@link CrashCode} and ends at a {@link CrashPoint}, as if it were killed. */
final class CrashingWorker {
  static final Duration LEASE = Duration.ofMillis(1500);

  private CrashingWorker() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    CrashPoint point = CrashPoint.valueOf(Program.rest(args).get(0));
    HikariConfig config = new HikariConfig();
    config.setDataSource(Program.database(args));
    DataSource pool = new HikariDataSource(config);
    Jobs jobs = Jobs.over(crashing(pool, point));
    CrashCode code = new CrashCode(pool, it -> endIf(it == point));
    Workflows workflows = code.registered(Workflows.builder(jobs)).build();
    Queue queue = Queue.named(WorkflowDatabase.QUEUE).withLease(LEASE);
    workflows.addTo(Workers.over(jobs)).queue(queue).pollInterval(Duration.ofMillis(100)).start();
    new CountDownLatch(1).await();
  }

  private static void endIf(boolean isReached) {
    if (isReached) {
      Runtime.getRuntime().halt(Program.KILLED);
    }
  }

  private static DataSource crashing(DataSource pool, CrashPoint point) {
    return proxy(
        DataSource.class,
        (method, args) -> {
          Object result = call(pool, method, args);
          return result instanceof Connection it ? crashing(it, point) : result;
        });
  }

  /** A connection that ends the process before a statement, or when it is committed. */
  private static Connection crashing(Connection connection, CrashPoint point) {
    boolean[] isExecuted = {false};
    return proxy(
        Connection.class,
        (method, args) -> {
          boolean isPoint =
              method.getName().equals("prepareStatement")
                  && !point.statement().isEmpty()
                  && ((String) args[0]).contains(point.statement());
          endIf(isPoint && !point.isAfter());
          isExecuted[0] |= isPoint;
          boolean isEnd = method.getName().equals("commit") || method.getName().equals("close");
          Object result = call(connection, method, args);
          endIf(isExecuted[0] && isEnd);
          return result;
        });
  }

  private interface Call {
    Object run(Method method, Object[] args) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> call.run(method, args)));
  }

  private static Object call(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
