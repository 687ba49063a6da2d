package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The settings in docs/guides/spring-boot.md are those of the starter, in its own words. */
class SettingsTest {
  private static final String SOURCES = "once-spring-boot-starter/src/main/java/dev/once/spring/";
  private static final Pattern RECORD =
      Pattern.compile(
          "/\\*\\*(?:(?!\\*/).)*?Settings under \\{@code ([a-z.]+)}((?:(?!\\*/).)*)\\*/"
              + ".*?record \\w+\\((.*?)\\)\\s*\\{",
          Pattern.DOTALL);
  private static final Pattern PARAM =
      Pattern.compile("@param (\\w+) (.*?)(?=@param|$)", Pattern.DOTALL);

  @Test
  void areAllInTheGuide() {
    assertThat(Repository.page("docs/guides/spring-boot.md").rows("Settings"))
        .isEqualTo(rowsOf("OnceProperties.java"));
  }

  @Test
  void ofJobsAreAllInTheGuide() {
    assertThat(Repository.page("docs/guides/spring-boot.md").rows("Settings of jobs"))
        .isEqualTo(rowsOf("JobsProperties.java"));
  }

  @Test
  void ofWorkflowsAreAllInTheGuide() {
    assertThat(Repository.page("docs/guides/spring-boot.md").rows("Settings of workflows"))
        .isEqualTo(rowsOf("WorkflowsProperties.java"));
  }

  @Test
  void ofStepsAndTheInboxAreAllInTheGuide() {
    List<List<String>> rows = new ArrayList<>(rowsOf("StepsProperties.java"));
    rows.addAll(rowsOf("InboxProperties.java"));
    rows.addAll(rowsOf("WebhooksProperties.java"));

    assertThat(Repository.page("docs/guides/spring-boot.md").rows("Settings of steps and webhooks"))
        .isEqualTo(rows);
  }

  @Test
  void ofEventsAreAllInTheGuide() {
    assertThat(Repository.page("docs/guides/spring-boot.md").rows("Settings of events"))
        .isEqualTo(rowsOf("EventsProperties.java"));
  }

  @Test
  void ofTheCacheAndRedisAreAllInTheGuide() {
    List<List<String>> rows = new ArrayList<>(rowsOf("CacheProperties.java"));
    rows.addAll(rowsOf("RedisProperties.java"));

    assertThat(
            Repository.page("docs/guides/spring-boot.md").rows("Settings of the cache and Redis"))
        .isEqualTo(rows);
  }

  @Test
  void ofTheConsoleAreAllInTheGuide() {
    assertThat(Repository.page("docs/guides/spring-boot.md").rows("Settings of the console"))
        .isEqualTo(rowsOf("ConsoleProperties.java"));
  }

  private static List<List<String>> rowsOf(String source) {
    List<List<String>> rows = new ArrayList<>();
    List<MatchResult> records =
        RECORD
            .matcher(Repository.text(Repository.ROOT.resolve(SOURCES + source)))
            .results()
            .toList();
    for (MatchResult settings : records) {
      String text = settings.group(2).replaceAll("\\s*\\n\\s*\\*", "");
      for (MatchResult param : PARAM.matcher(text).results().toList()) {
        String name =
            settings
                    .group(1)
                    .replace("queues", "queues.<name>")
                    .replace("handlers", "handlers.<name>")
                + "."
                + nameOf(param.group(1), settings.group(3));
        boolean isGroup = records.stream().anyMatch(it -> it.group(1).equals(name));
        if (!isGroup) {
          String usual = defaultOf(param.group(1), settings.group(3));
          String what = param.group(2).strip().replaceAll("\\s+", " ");
          rows.add(List.of("`" + name + "`", usual.isEmpty() ? "" : "`" + usual + "`", what));
        }
      }
    }
    return rows;
  }

  private static String defaultOf(String name, String components) {
    Matcher component =
        Pattern.compile(
                "@DefaultValue\\(\"([^\"]*)\"\\) (?:@Name\\(\"\\w+\"\\) )?[\\w<>.]+ "
                    + name
                    + "\\b")
            .matcher(components);
    return component.find() ? component.group(1) : "";
  }

  /** Returns the name of a setting; an annotation has it if Java forbids it for a component. */
  private static String nameOf(String component, String components) {
    Matcher named =
        Pattern.compile("@Name\\(\"(\\w+)\"\\) \\w+ " + component + "\\b").matcher(components);
    return named.find() ? named.group(1) : kebab(component);
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
