package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What remains after the chaos, and what must be true of it. */
record ChaosOutcome(Sql database, Sql world, Workflows workflows) {
  /** Runs that have not ended. */
  List<String> unfinished() {
    return database.query(
        """
        SELECT concat_ws(' ', run, state, owner_job, timer_at) FROM once_workflow_run
        WHERE ended_at IS NULL ORDER BY started_at LIMIT 20
        """);
  }

  String counts() {
    return String.join(
        ", ",
        database.query(
            """
            (SELECT count(*) || ' ' || CASE WHEN parent_run IS NULL THEN 'runs ' ELSE 'children ' END
               || state FROM once_workflow_run GROUP BY parent_run IS NULL, state ORDER BY 1)
            UNION ALL
            (SELECT count(*) || ' entries ' || kind || ' ' || state FROM once_workflow_entry
             GROUP BY kind, state ORDER BY kind, state)
            UNION ALL SELECT count(*) || ' signals' FROM once_workflow_signal
            UNION ALL SELECT sum(activations) || ' activations' FROM once_workflow_run
            """));
  }

  String effects() {
    return String.join(
        ", ",
        world.query(
            """
            SELECT count(*) || ' ' || kind || ' effects of ' || count(DISTINCT name) FROM (
              SELECT name, CASE WHEN name LIKE '%/undone' THEN 'undoing'
                ELSE split_part(name, '/', 2) END AS kind
              FROM effect) e GROUP BY kind ORDER BY kind
            """));
  }

  void check() {
    runs();
    histories();
    effectsOfSteps();
    compensations();
  }

  private void runs() {
    assertThat(database.query("SELECT run FROM once_workflow_run WHERE parent_run IS NULL"))
        .as("runs that were started")
        .containsExactlyInAnyOrderElementsOf(database.query("SELECT run FROM business"));
    none(
        "runs that ended in another way than planned",
        """
        SELECT run || ' ' || state FROM once_workflow_run
        WHERE parent_run IS NULL AND state <> CASE split_part(run, '-', 1)
          WHEN 'OK' THEN 'completed' WHEN 'CANCEL' THEN 'cancelled' ELSE 'failed' END
        """);
    for (String run :
        database.query("SELECT run FROM once_workflow_run WHERE run ~ '^OK-.*\\d$'")) {
      assertThat(workflows.runs().value(new RunId("acme", run), ChaosWorkflows.ORDER).orElseThrow())
          .as(run)
          .matches("s1 s2 sealtrue label print sealtrue (early|late|other)");
    }
    none("dead letters", "SELECT key || ': ' || reason FROM once_job WHERE state = 'dead'");
  }

  private void histories() {
    none(
        "waits of runs that are completed",
        """
        SELECT e.run || ' ' || e.path || ' ' || e.state FROM once_workflow_entry e
        JOIN once_workflow_run r USING (tenant, run)
        WHERE r.state = 'completed' AND e.state IN ('waiting', 'uncertain')
        """);
    none(
        "children that their parents know otherwise",
        """
        SELECT e.run || ' ' || e.path || ' ' || e.state || ' but ' || c.state
        FROM once_workflow_entry e JOIN once_workflow_run c ON c.tenant = e.tenant AND c.run = e.input
        WHERE e.kind = 'child' AND NOT (
          (e.state = 'done' AND c.state = 'completed' AND e.value = c.value)
          OR (e.state = 'failed' AND c.state IN ('failed', 'cancelled'))
          OR e.state = 'abandoned')
        """);
    none(
        "children without a parent's entry",
        """
        SELECT c.run FROM once_workflow_run c
        WHERE c.parent_run IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM once_workflow_entry e WHERE e.tenant = c.tenant AND e.run = c.parent_run
            AND e.path = c.parent_path AND e.input = c.run)
        """);
    none(
        "signals that were not received once",
        """
        SELECT s.run || ' ' || s.id FROM once_workflow_signal s
        LEFT JOIN once_workflow_entry e ON e.tenant = s.tenant AND e.run = s.run
          AND e.path = s.taken_by AND e.kind = 'signal' AND e.state = 'done' AND e.value = s.value
        WHERE e.path IS NULL AND s.run NOT LIKE 'CANCEL%'
        """);
    none(
        "signals that were received twice",
        """
        SELECT run || ' ' || taken_by FROM once_workflow_signal WHERE taken_by IS NOT NULL
        GROUP BY run, taken_by HAVING count(*) > 1
        """);
  }

  private void effectsOfSteps() {
    assertThat(
            world.query(
                """
                SELECT name FROM effect WHERE name LIKE '%/asking/%'
                GROUP BY name HAVING count(*) > 1
                """))
        .as("effects of asking steps, and of what undoes them, that happened twice")
        .isEmpty();
    Map<String, Integer> happened = happened();
    for (String done :
        database.query(
            "SELECT run || '/%/' || name FROM once_workflow_entry WHERE kind = 'step' AND state = 'done'")) {
      int plain = happened.getOrDefault(done.replace("%", "plain"), 0);
      int asking = happened.getOrDefault(done.replace("%", "asking"), 0);
      assertThat(plain + asking).as(done).isPositive();
    }
    assertThat(database.query("SELECT DISTINCT run FROM once_workflow_entry WHERE kind = 'step'"))
        .as("runs with effects")
        .containsAll(world.query("SELECT DISTINCT split_part(name, '/', 1) FROM effect"));
  }

  private void compensations() {
    none(
        "compensations that did not end as their runs",
        """
        SELECT e.run || ' ' || e.path || ' ' || e.state || ' ' || r.state
        FROM once_workflow_entry e JOIN once_workflow_run r USING (tenant, run)
        WHERE e.kind = 'compensation'
          AND e.state <> CASE r.state WHEN 'completed' THEN 'registered' ELSE 'done' END
        """);
    Map<String, Integer> happened = happened();
    for (String undone :
        database.query(
            """
            SELECT run || '/%/' || name || '/undone' FROM once_workflow_entry
            WHERE kind = 'compensation' AND state = 'done'
            """)) {
      int plain = happened.getOrDefault(undone.replace("%", "plain"), 0);
      int asking = happened.getOrDefault(undone.replace("%", "asking"), 0);
      assertThat(plain + asking).as(undone).isEqualTo(1);
    }
    assertThat(
            world.query(
                """
                SELECT e.name FROM effect e JOIN effect u ON u.name = e.name || '/undone'
                WHERE e.place > u.place AND e.name LIKE '%/asking/%'
                """))
        .as("effects after they were undone")
        .isEmpty();
  }

  private Map<String, Integer> happened() {
    Map<String, Integer> counts = new HashMap<>();
    world.query("SELECT name FROM effect").forEach(it -> counts.merge(it, 1, Integer::sum));
    return counts;
  }

  private void none(String what, String sql) {
    assertThat(database.query(sql)).as(what).isEmpty();
  }
}
