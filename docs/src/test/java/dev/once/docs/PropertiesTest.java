package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.internal.GeneratedPage;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * docs/reference/properties.md is the metadata of the starter, which the compiler made of the code.
 */
class PropertiesTest {
  private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

  /** A map or a list of records, whose settings the metadata does not have. */
  private static final Pattern ENTRIES =
      Pattern.compile("java\\.util\\.(Map<java\\.lang\\.String,|List<)(dev\\.once\\..*)>");

  private static final String HEAD =
      """
      # Properties of Spring Boot

      Every setting of the starter, as its configuration metadata has it: editors show the same. Settings without a default have the value of
      the [contract](contracts.md), or what their description says. A time is written `500ms`, `30s`, `5m`, `24h` or `7d`; a size `64KB` or
      `10MB`; a list with commas or as a YAML list. The [guide](../guides/spring-boot.md) has the rest.
      """;

  @Test
  void listsEverySetting() throws Exception {
    Map<String, List<Setting>> sections =
        settings()
            .collect(Collectors.groupingBy(Setting::section, TreeMap::new, Collectors.toList()));
    assertThat(sections).containsKeys("once", "once.jobs", "once.events", "once.http");

    StringBuilder page = new StringBuilder(HEAD);
    sections.forEach(
        (name, settings) -> {
          page.append("\n## ").append(name).append("\n");
          page.append(GeneratedPage.head("name", "value", "default", "meaning"));
          settings.forEach(it -> page.append(it.row()));
        });
    GeneratedPage.check(Repository.ROOT.resolve("docs/reference/properties.md"), page.toString());
  }

  @Test
  void hasTheSettingsOfEntries() throws Exception {
    assertThat(settings())
        .contains(
            new Setting(
                "once.jobs.queues.<name>.rate-time",
                "time",
                "",
                "The time for rate, one second unless set."),
            new Setting(
                "once.http.routes[].mode",
                "`leased`, `transactional`",
                "",
                "How the routes are executed."));
  }

  private static Stream<Setting> settings() throws Exception {
    List<Setting> settings = new ArrayList<>();
    try (InputStream in = PropertiesTest.class.getResourceAsStream(METADATA)) {
      JsonNode metadata = new JsonMapper().readTree(Objects.requireNonNull(in, METADATA));
      for (JsonNode property : metadata.get("properties")) {
        settings.addAll(settings(property));
      }
    }
    return settings.stream();
  }

  private static List<Setting> settings(JsonNode property) throws ClassNotFoundException {
    String name = property.get("name").asString();
    String type = property.get("type").asString();
    Matcher entries = ENTRIES.matcher(type);
    if (entries.matches()) {
      String entry = entries.group(1).startsWith("List") ? "[]." : ".<name>.";
      return SettingsOfEntry.of(name + entry, Class.forName(entries.group(2))).settings();
    }
    return List.of(
        new Setting(
            name,
            SettingType.words(type),
            text(property.path("defaultValue")),
            property.path("description").asString()));
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(","))
        : value.asString("");
  }
}
