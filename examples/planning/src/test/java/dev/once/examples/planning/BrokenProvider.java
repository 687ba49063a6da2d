package dev.once.examples.planning;

/** A provider that sends nothing for one tenant. */
record BrokenProvider(PlanningServer server, Api api, String constraint) implements AutoCloseable {
  static BrokenProvider of(PlanningServer server, Api api) {
    String name = "broken_" + Api.randomId().replace('-', '_');
    BrokenProvider broken = new BrokenProvider(server, api, name);
    broken.alter("ADD CONSTRAINT " + name + " CHECK (tenant <> '" + api.tenant() + "') NOT VALID");
    return broken;
  }

  /** Waits until an attempt has failed. */
  void awaitRefusal() {
    Polling.until(this::failures, it -> it > 0);
  }

  private int failures() {
    return server
        .database()
        .sql(
            """
            SELECT count(*) FROM once_job
            WHERE tenant = :tenant AND queue = 'notify' AND reason LIKE '%violates%'
            """)
        .param("tenant", api.tenant())
        .query(Integer.class)
        .single();
  }

  @Override
  public void close() {
    alter("DROP CONSTRAINT " + constraint);
  }

  private void alter(String what) {
    server.database().sql("ALTER TABLE sent_notification " + what).update();
  }
}
