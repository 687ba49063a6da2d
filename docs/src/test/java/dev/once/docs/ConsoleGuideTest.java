package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.console.Console;
import dev.once.console.ConsoleAction;
import dev.once.console.ConsoleRates;
import dev.once.console.ConsoleServlet;
import dev.once.console.ConsoleUser;
import dev.once.console.ConsoleUsers;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples and the table of docs/guides/console.md. */
class ConsoleGuideTest {
  @Test
  void mountsOneServlet() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(EmbeddedPostgres.shared().newDatabase("console_guide"));
    config.setMaximumPoolSize(4);
    String operatorToken = "a-long-random-text";
    String acmeToken = "another-random-text";
    try (HikariDataSource dataSource = new HikariDataSource(config)) {
      JdbcSchema.apply(dataSource);
      JobsSchema.apply(dataSource);
      JdbcRecordStore store = JdbcRecordStore.over(dataSource);
      Jobs jobs = Jobs.over(dataSource);
      // snippet: mount
      ConsoleRates rates = new ConsoleRates();
      Once once = Once.over(store, rates); // The engine tells the console what it does.

      Console console = Console.builder().rates(rates).records(store).jobs(jobs).build();
      ConsoleUsers users =
          ConsoleUsers.ofTokens(
              Map.of(
                  operatorToken, ConsoleUser.operator("ada"),
                  acmeToken, ConsoleUser.viewer("amy").withTenants(Set.of("acme"))));
      ConsoleServlet servlet = new ConsoleServlet(console, users); // Map it to /once/*.
      // end
      assertThat(servlet).isNotNull();
      once.close();
      jobs.close();
    }
  }

  @Test
  void asksTheApplicationForItsUsers() {
    // snippet: users
    ConsoleUsers users =
        request ->
            request.isUserInRole("support")
                ? Optional.of(
                    ConsoleUser.operator(request.getRemoteUser())
                        .withActions(Set.of(ConsoleAction.RETRY_JOB, ConsoleAction.SETTLE_RECORD)))
                : Optional.empty();
    // end
    assertThat(users.isOpenToOthers()).isTrue();
  }

  @Test
  void listsEveryAction() {
    assertThat(Repository.page("docs/guides/console.md").rows("Actions"))
        .extracting(row -> row.get(0))
        .isEqualTo(Stream.of(ConsoleAction.values()).map(it -> "`" + it.word() + "`").toList());
  }
}
