package dev.once.examples.planning;

import java.util.function.Supplier;

/** A database that rejects, at commit, every transaction of a tenant that inserts into a table. */
record RefusedCommit(PlanningServer server, String table, String trigger) implements AutoCloseable {
  static RefusedCommit of(PlanningServer server, String table, Api api) {
    String name = "refused_" + Api.randomId().replace('-', '_');
    RefusedCommit refused = new RefusedCommit(server, table, name);
    refused.execute(
        """
        CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'refused' USING ERRCODE = 'check_violation';
        END $$;
        CREATE CONSTRAINT TRIGGER %1$s AFTER INSERT ON %2$s
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.tenant = '%3$s') EXECUTE FUNCTION %1$s()
        """
            .formatted(name, table, api.tenant()));
    return refused;
  }

  /** Sends a request that will fail. */
  Reply provoke(Supplier<Reply> request) {
    return request.get();
  }

  @Override
  public void close() {
    execute("DROP TRIGGER " + trigger + " ON " + table);
    execute("DROP FUNCTION " + trigger);
  }

  private void execute(String sql) {
    server.database().sql(sql).update();
  }
}
