package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.steps.RunId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What another process sends to the database to continue a long run. */
@SuppressWarnings("try") // Workers work until they are closed.
class ResumeTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-resume");

  private static final int STEPS = 100;
  private static final Workflow<@Nullable String, @Nullable String> LONG =
      Workflow.of("long", 1, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final WorkflowStep<@Nullable String> WORK = WorkflowStep.of("work", Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");
  private static final Pattern FUNCTION = Pattern.compile("once_workflow_[a-z_]+");

  @Test
  void aRunOfAHundredStepsIsReadInOneStatement() throws Exception {
    Workflows first = DATABASE.running(it -> it.register(LONG, ResumeTest::work));
    first.start(LONG, RUN, "boots");
    DATABASE.awaitSuspended(RUN);
    DATABASE.stop();

    List<String> statements = new CopyOnWriteArrayList<>();
    try (Jobs jobs = Jobs.over(noting(DATABASE.pool(), statements));
        Workflows second = Workflows.builder(jobs).register(LONG, ResumeTest::work).build()) {
      second.signal(RUN, GO, "1", "done");
      statements.clear();
      try (Workers workers =
          second.addTo(Workers.over(jobs)).queue(Queue.named(WorkflowDatabase.QUEUE)).start()) {
        Polling.until(
            () -> DATABASE.query("SELECT state FROM once_workflow_run"),
            it -> it.equals(List.of("completed")));
      }
    }

    assertThat(DATABASE.query("SELECT count(*) FROM once_workflow_entry WHERE kind = 'step'"))
        .containsExactly(String.valueOf(STEPS));
    assertThat(statements)
        .containsExactly("once_workflow_begin", "once_workflow_take_signal", "once_workflow_end");
  }

  private static @Nullable String work(WorkflowContext context, @Nullable String input) {
    for (int i = 0; i < STEPS; i++) {
      context.step(WORK, execution -> "done");
    }
    return context.awaitSignal(GO);
  }

  /** Notes which of the functions and tables of workflows each statement uses first. */
  private static DataSource noting(DataSource pool, List<String> statements) {
    return proxy(
        DataSource.class,
        pool,
        (method, args) -> {
          Object result = call(pool, method, args);
          return result instanceof Connection it ? noting(it, statements) : result;
        });
  }

  private static Connection noting(Connection connection, List<String> statements) {
    return proxy(
        Connection.class,
        connection,
        (method, args) -> {
          if (method.getName().equals("prepareStatement")) {
            Matcher matcher = FUNCTION.matcher((String) args[0]);
            if (matcher.find()) {
              statements.add(matcher.group());
            }
          }
          return call(connection, method, args);
        });
  }

  private interface Call {
    Object run(Method method, Object[] args) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T target, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            target.getClass().getClassLoader(),
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
