package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.jobs.JobRun;
import dev.once.spi.RecordStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;

/** Invalid handlers of jobs stop the start, with a message that says what to change. */
class JobMisconfigurationTest {
  private static final PGSimpleDataSource DATABASE = App.newDatabase();
  private static final String WITHOUT_SERVER = "spring.main.web-application-type=none";

  @EnableAutoConfiguration
  static class Empty {}

  @Service
  @Import(Empty.class)
  static class TwoPayloads {
    @OnceJob(queue = "q", type = "t")
    void handle(String one, byte[] other) {}
  }

  @Service
  @Import(Empty.class)
  static class Returning {
    @OnceJob(queue = "q", type = "t")
    String handle(JobRun run) {
      return run.text();
    }
  }

  @Service
  @Import(Empty.class)
  static class Hidden {
    @OnceJob(queue = "q", type = "t")
    private void handle() {}

    void use() {
      handle();
    }
  }

  @Service
  @Import(Empty.class)
  static class Hasty {
    @Async
    @OnceJob(queue = "q", type = "t")
    void handle() {}
  }

  @Service
  @Import(Single.class)
  static class InMemory {
    @Bean
    RecordStore store() {
      return new InMemoryRecordStore();
    }
  }

  @Service
  @Scope("prototype")
  @Import(Empty.class)
  static class Many {
    @OnceJob(queue = "q", type = "t")
    void handle() {}
  }

  @Service
  @Import({Empty.class, Rival.class})
  static class Handling {
    @OnceJob(queue = "q", type = "t")
    void handle() {}
  }

  @Service
  static class Rival {
    @OnceJob(queue = "q", type = "t")
    void handle() {}
  }

  @Service
  @Import(Empty.class)
  static class Single {
    @OnceJob(queue = "q", type = "t")
    void handle() {}
  }

  @Service
  @Import(Empty.class)
  static class LeasedTogether {
    @OnceJob(queue = "q", type = "t", mode = OnceJob.Mode.LEASED, batchSize = 10)
    void handle() {}
  }

  @Service
  @Import(Empty.class)
  static class Tireless {
    @OnceJob(queue = "q", type = "t", attempts = 0)
    void handle() {}
  }

  @Service
  @Import(Empty.class)
  static class Endless {
    @OnceJob(queue = "q", type = "t", deadline = "soon")
    void handle() {}
  }

  @Service
  @Import(Empty.class)
  static class Nameless {
    @OnceJob(queue = "q", type = "a type")
    void handle() {}
  }

  @Test
  void refusesParametersThatNothingIsFor() {
    assertThat(report(TwoPayloads.class))
        .contains("TwoPayloads.handle has more than one parameter for the payload")
        .contains("one of type JobRun");
  }

  @Test
  void refusesAnUnusedValue() {
    assertThat(report(Returning.class)).contains("Returning.handle returns a value");
  }

  @Test
  void refusesAMethodThatReturnsBeforeItHasEnded() {
    assertThat(report(Hasty.class)).contains("Hasty.handle is @Async");
  }

  @Test
  void refusesMethodsThatCannotBeIntercepted() {
    assertThat(report(Hidden.class)).contains("Hidden.handle is never called");
    assertThat(report(Many.class)).contains("Many.handle is never called");
  }

  @Test
  void refusesTwoHandlersOfOneType() {
    assertThat(report(Handling.class))
        .contains("Handling.handle", "Rival.handle", "both handle jobs of type t in queue q");
  }

  @Test
  void refusesHandlersAlsoWhereOthersRunThem() {
    assertThat(report(Handling.class, "once.jobs.workers=false")).contains("both handle jobs");
  }

  @Test
  void refusesWhatTheAnnotationCannotMean() {
    assertThat(report(LeasedTogether.class)).contains("LeasedTogether.handle", "but is leased");
    assertThat(report(Tireless.class)).contains("attempts must be 1 to 10000, got 0");
    assertThat(report(Endless.class)).contains("'soon' is not a valid duration");
    assertThat(report(Nameless.class)).contains("type must have 1 to 64 characters");
  }

  @Test
  void asksForATransactionManagerToBeTransactional() {
    assertThat(
            report(
                Single.class,
                "spring.autoconfigure.exclude="
                    + "org.springframework.boot.jdbc.autoconfigure."
                    + "DataSourceTransactionManagerAutoConfiguration"))
        .contains("Single.handle is transactional, but there is no Platform")
        .contains("mode = LEASED");
  }

  @Test
  void asksForADatabaseToKeepJobsIn() {
    assertThat(
            StartReport.ofStarting(
                InMemory.class,
                List.of(
                    WITHOUT_SERVER,
                    "spring.autoconfigure.exclude="
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")))
        .contains("Single.handle handles jobs, but there is no DataSource")
        .contains("spring.datasource.url");
  }

  @Test
  void asksForSettingsInRange() {
    assertThat(report(Single.class, "once.jobs.retention=1s"))
        .contains("retention must be PT1M to PT9600H, got PT1S");
    assertThat(report(Single.class, "once.jobs.poll-interval=1ms"))
        .contains("poll interval must be PT0.01S to PT1H, got PT0.001S");
    assertThat(report(Single.class, "once.jobs.queues.q.slots=0"))
        .contains("once.jobs.queues.q cannot be used: slots must be 1 to 10000, got 0");
  }

  @Test
  void asksForAHandlerOfAQueueThatIsSet() {
    assertThat(report(Single.class, "once.jobs.queues.p.slots=2"))
        .contains("once.jobs.queues.p is set, but no method handles jobs of that queue");
  }

  @Test
  void asksForTheBreakerOfAQueue() {
    assertThat(report(Single.class, "once.jobs.queues.q.circuit-breaker=provider"))
        .contains("the circuit breaker provider is open, but there is none")
        .contains("CircuitBreakerRegistry");
  }

  private static String report(Class<?> application, String... settings) {
    List<String> all = new ArrayList<>(App.connection(DATABASE));
    all.add(WITHOUT_SERVER);
    all.addAll(List.of(settings));
    return StartReport.ofStarting(application, all);
  }
}
