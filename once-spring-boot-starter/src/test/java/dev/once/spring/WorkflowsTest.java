package dev.once.spring;

import static dev.once.spring.WorkflowShop.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import dev.once.spring.Api.Answer;
import dev.once.spring.WorkflowShop.Desk;
import dev.once.spring.WorkflowShop.OrderWorkflows;
import dev.once.workflow.RunState;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import dev.once.workflow.Workflows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Workflows in an application of Spring Boot. */
@Timeout(120)
class WorkflowsTest {
  /** Starts runs, which another application continues. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Authentication.class, OrderService.class, Desk.class})
  static class Starter {}

  /** Registers workflows, and has no database. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(OrderWorkflows.class)
  static class WithoutDatabase {
    @Bean
    RecordStore store() {
      return new InMemoryRecordStore();
    }
  }

  @Test
  void aRunIsStartedIfItsTransactionCommits() {
    try (App app = App.start(WorkflowShop.class)) {
      Desk desk = app.bean(Desk.class);

      assertThatThrownBy(() -> desk.takeAndFail("lamp")).hasMessageContaining("after starting");
      desk.take("candle");

      assertThat(runs(app).find(run("candle"))).isPresent();
      assertThat(runs(app).find(run("lamp"))).isEmpty();
    }
  }

  @Test
  void aSignalFromAControllerEndsARun() {
    try (App app = App.start(WorkflowShop.class)) {
      Desk desk = app.bean(Desk.class);
      desk.take("candle");
      assertThatThrownBy(() -> desk.payAndFail("candle")).hasMessageContaining("after a signal");

      Answer answer = app.api().post("/orders/candle/payment", "k1", "{\"reference\":\"p-1\"}");

      assertThat(answer.body()).isEqualTo("\"ACCEPTED\"");
      assertThat(ended(app, "candle").state()).isEqualTo(RunState.COMPLETED);
      assertThat(runs(app).value(run("candle"), OrderWorkflows.ORDER)).hasValue("p-1");
      assertThat(app.orders("candle")).isEqualTo(1);
    }
  }

  @Test
  void aRunContinuesAfterARestart() {
    var database = App.newDatabase();
    try (App app = App.start(WorkflowShop.class, database)) {
      app.bean(Desk.class).take("candle");
      Polling.until(() -> app.orders("candle"), it -> it == 1);
    }

    try (App app = App.start(WorkflowShop.class, database)) {
      Answer unused = app.api().post("/orders/candle/payment", "k1", "{\"reference\":\"p-1\"}");

      assertThat(ended(app, "candle").state()).isEqualTo(RunState.COMPLETED);
      assertThat(app.orders("candle")).isEqualTo(1);
    }
  }

  @Test
  void removesRunsThatEndedLongAgo() {
    try (App app = App.start(WorkflowShop.class, "once.purge.every=50ms")) {
      for (String item : List.of("old", "recent")) {
        app.bean(Desk.class).take(item);
        Answer unused =
            app.api().post("/orders/" + item + "/payment", item, "{\"reference\":\"p\"}");
        assertThat(ended(app, item).state()).isEqualTo(RunState.COMPLETED);
      }
      JdbcClient.create(app.bean(DataSource.class))
          .sql("UPDATE once_workflow_run SET ended_at = now() - interval '31 d' WHERE run = ?")
          .param(run("old").value())
          .update();

      Polling.until(() -> runs(app).find(run("old")), Optional::isEmpty);

      assertThat(runs(app).find(run("recent"))).isPresent();
    }
  }

  @Test
  void removesAllOfThemInBatches() {
    try (App app = App.start(WorkflowShop.class, "once.purge.enabled=false")) {
      JdbcClient database = JdbcClient.create(app.bean(DataSource.class));
      database
          .sql(
              """
              INSERT INTO once_workflow_run (
                tenant, run, workflow, version, fingerprint, state, input, ended_at)
              SELECT 'acme', 'old-' || n, 'order', 1, 'f', 'completed', '', now() - interval '31 d'
              FROM generate_series(1, 250) AS n
              """)
          .update();

      app.bean(WorkflowsPurge.class).afterPurge();

      assertThat(runs(app).tenants("", 10)).isEmpty();
    }
  }

  @Test
  void aProcessWithoutWorkflowsOfItsOwnOnlyStartsThem() {
    try (App app = App.start(Starter.class)) {
      app.bean(Desk.class).take("candle");

      assertThat(app.isRunning(JobWorkers.class)).isFalse();
      assertThat(runs(app).find(run("candle")).orElseThrow().activations()).isZero();
    }
  }

  @Test
  void createsNoTablesThatAreNotUsed() {
    try (App app = App.start(JobShop.class, "once.purge.every=10ms")) {
      assertThat(app.tables("once_job")).isEqualTo(1);
      assertThat(app.tables("once_workflow_run")).isZero();
    }
  }

  @Test
  void onlyChecksTheTablesIfToldTo() {
    var database = App.newDatabase();
    App.start(JobShop.class, database).close();
    List<String> settings = new ArrayList<>(App.connection(database));
    settings.add("once.schema=check");

    assertThat(StartReport.ofStarting(WorkflowShop.class, settings))
        .contains("WorkflowsSchema")
        .contains("once.workflows.enabled=false");
  }

  @Test
  void isLeftOutIfItIsSwitchedOff() {
    try (App app = App.start(Shop.class, "once.workflows.enabled=false")) {
      assertThat(app.has(Workflows.class)).isFalse();
    }
  }

  @Test
  void takesSettingsOfTheQueue() {
    try (App app =
        App.start(WorkflowShop.class, "once.jobs.queues.workflows.tenant-concurrency=2")) {
      assertThat(app.isRunning(JobWorkers.class)).isTrue();
    }
  }

  @Test
  void refusesARetentionThatIsTooShort() {
    assertThatThrownBy(() -> App.start(Shop.class, "once.workflows.retention=1s").close())
        .hasStackTraceContaining("once.workflows.retention must be 1 minute to 4000 days");
  }

  @Test
  void refusesWorkflowsWithoutADatabase() {
    List<String> settings =
        List.of(
            "spring.main.web-application-type=none",
            "spring.autoconfigure.exclude="
                + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");

    assertThat(StartReport.ofStarting(WithoutDatabase.class, settings))
        .contains("a bean of type WorkflowRegistrar, but no database to keep runs in")
        .contains("spring.datasource.url");
  }

  private static Runs runs(App app) {
    return app.bean(Workflows.class).runs();
  }

  private static RunView ended(App app, String item) {
    return Polling.until(
        () -> runs(app).find(run(item)).orElseThrow(), it -> it.state().hasEnded());
  }
}
