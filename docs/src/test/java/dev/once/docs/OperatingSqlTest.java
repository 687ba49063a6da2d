package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.EventsSchema;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.Sql;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.WorkflowsSchema;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The SQL of the pages for operators, on a database with all tables. OperatingGuideTest in once-cli
 * runs their commands.
 */
class OperatingSqlTest {
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

  private final DataSource database = EmbeddedPostgres.shared().newDatabase("incidents");
  private final Sql sql = new Sql(database);

  OperatingSqlTest() {
    JdbcSchema.apply(database);
    JobsSchema.apply(database);
    InboxSchema.apply(database);
    WebhooksSchema.apply(database);
    WorkflowsSchema.apply(database);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(database);
  }

  @ParameterizedTest
  @ValueSource(strings = {"incidents.md", "failover.md", "upgrade.md"})
  void runs(String page) {
    List<String> blocks = blocks(page);

    assertThat(blocks).isNotEmpty();
    blocks.forEach(sql::execute);
  }

  @Test
  void findsTheKeyOfALogLine() {
    Key key = new Key("acme", "charges", "order-1");
    try (Once once = Once.over(JdbcRecordStore.over(database))) {
      once.run(Request.of(key, Codec.text()), execution -> "done").orThrow();
    }

    String statement = blocks("incidents.md").get(0);

    assertThat(statement).contains(key.shortHash());
    assertThat(sql.query(statement)).hasSize(1);
  }

  @Test
  void saysForEveryAlertWhatToDo() {
    String alerts =
        Repository.text(Repository.ROOT.resolve("docs/operating/prometheus-alerts.yaml"));
    String table = Repository.page("docs/operating/incidents.md").rows("Incidents").toString();

    assertThat(ALERT.matcher(alerts).results().map(it -> it.group(1)))
        .isNotEmpty()
        .allMatch(it -> table.contains("`" + it + "`"));
  }

  private static List<String> blocks(String page) {
    return Repository.page("docs/operating/" + page).blocksIn("sql");
  }
}
