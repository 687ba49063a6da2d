package dev.once.workflow;

import dev.once.StoreException;
import dev.once.steps.RunId;
import dev.once.workflow.ChaosWorkflows.Plan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Starts runs in business transactions, each with a row that names the run, and sends them signals,
 * each at least once, and often again.
 */
final class ChaosProducer implements Runnable {
  private static final List<Plan> PLANS = List.of(Plan.values());
  private static final int PLENTY = 40;
  private static final int MAX_PAUSE_NANOS = 30_000_000;

  private final String name;
  private final Random random;
  private final Workflows workflows;
  private final DataSource database;
  private final List<Order> open = new ArrayList<>();
  private volatile boolean stopped;
  private int count;

  ChaosProducer(String name, Random random, Workflows workflows, DataSource database) {
    this.name = name;
    this.random = random;
    this.workflows = workflows;
    this.database = database;
  }

  /** A run, and the number of things that were done for it. */
  private static final class Order {
    private final RunId run;
    private final Plan plan;
    private int done;

    Order(RunId run, Plan plan) {
      this.run = run;
      this.plan = plan;
    }
  }

  /** Starts runs until it is stopped, and then does for all of them what is left. */
  @Override
  public void run() {
    while (!stopped || !open.isEmpty()) {
      try {
        if (!stopped && !hasPlenty()) {
          start();
        }
        if (!open.isEmpty()) {
          serve(open.get(random.nextInt(open.size())));
        }
      } catch (SQLException | StoreException e) {
        // The server is gone: the row shows whether the transaction was committed.
        LockSupport.parkNanos(MAX_PAUSE_NANOS);
      }
      LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
    }
  }

  void stop() {
    stopped = true;
  }

  private boolean hasPlenty() throws SQLException {
    String sql = "SELECT count(*) FROM once_workflow_run WHERE ended_at IS NULL";
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1) > PLENTY;
    }
  }

  private void start() throws SQLException {
    Plan plan = random.nextInt(2) == 0 ? Plan.OK : PLANS.get(random.nextInt(PLANS.size()));
    RunId run = new RunId("acme", plan + "-" + name + "-" + ++count);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement =
          connection.prepareStatement("INSERT INTO business (run) VALUES (?)")) {
        statement.setString(1, run.value());
        statement.executeUpdate();
      }
      workflows.start(connection, ChaosWorkflows.ORDER, run, "boots");
      if (random.nextInt(8) == 0) {
        connection.rollback();
        return;
      }
      open.add(new Order(run, plan)); // Even if the answer to the commit is lost.
      connection.commit();
    }
  }

  private void serve(Order order) {
    boolean isRepeated = random.nextInt(3) == 0;
    boolean isCancelledEarly = order.plan == Plan.CANCEL && random.nextInt(8) == 0;
    if (order.done < 2 && !isCancelledEarly) {
      String id = "s" + (order.done + 1);
      SignalResult result = workflows.signal(order.run, ChaosWorkflows.PAID, id, id);
      if (result == SignalResult.MISSING) {
        open.remove(order); // Its transaction was not committed.
        return;
      }
    } else if (order.plan == Plan.CANCEL) {
      workflows.runs().cancel(order.run);
    }
    if (isCancelledEarly) {
      open.remove(order);
    } else if (!isRepeated) {
      order.done++;
    }
    if (order.done > 2) {
      open.remove(order);
    }
  }
}
