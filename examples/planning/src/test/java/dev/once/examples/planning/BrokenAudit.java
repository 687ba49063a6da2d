package dev.once.examples.planning;

import java.util.function.Supplier;

/**
 * An audit trail that rejects the events of one tenant, so that all its writes fail at their end.
 */
record BrokenAudit(PlanningServer server, String constraint) implements AutoCloseable {
  static BrokenAudit of(PlanningServer server, Api api) {
    String name = "broken_" + Api.randomId().replace('-', '_');
    BrokenAudit broken = new BrokenAudit(server, name);
    broken.alter("ADD CONSTRAINT " + name + " CHECK (tenant <> '" + api.tenant() + "') NOT VALID");
    return broken;
  }

  /** Sends a request that will fail. */
  Reply provoke(Supplier<Reply> request) {
    return request.get();
  }

  @Override
  public void close() {
    alter("DROP CONSTRAINT " + constraint);
  }

  private void alter(String what) {
    server.database().sql("ALTER TABLE audit_event " + what).update();
  }
}
