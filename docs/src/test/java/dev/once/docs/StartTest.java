package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The programs of docs/start.md print what the page says. */
class StartTest {
  private static final Page PAGE = Repository.page("docs/start.md");

  @Test
  void takesTheMoneyOnce() throws Exception {
    String printed = Output.of(() -> FirstCharge.main(new String[0]));

    assertThat(PAGE.blocksIn("text").get(0)).isEqualTo(printed);
  }

  @Test
  void takesTheMoneyOnceInTwoRunsOfTheProgram() throws Exception {
    String[] url = {urlOfANewDatabase()};

    String first = Output.of(() -> ChargeOnPostgres.main(url));
    String second = Output.of(() -> ChargeOnPostgres.main(url));

    assertThat(PAGE.blocksIn("text").subList(1, 3)).isEqualTo(List.of(first, second));
  }

  @Test
  void namesTheVersionsThatThisBuildHas() {
    String parent = Repository.text(Repository.ROOT.resolve("pom.xml"));
    String once = first("<version>(.*?)</version>", parent);
    String driver = first("<postgresql.version>(.*?)</postgresql.version>", parent);

    String xml = String.join("\n", PAGE.blocksIn("xml"));
    List<String> versions =
        Pattern.compile("<version>(.*?)</version>")
            .matcher(xml)
            .results()
            .map(it -> it.group(1))
            .distinct()
            .toList();

    assertThat(versions).containsExactlyInAnyOrder("1", once, driver);
  }

  private static String first(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow().group(1);
  }

  private static String urlOfANewDatabase() {
    EmbeddedPostgres server = EmbeddedPostgres.shared();
    String name = String.valueOf(server.newDatabase("start").getDatabaseName());
    String password = URLEncoder.encode(server.password(), StandardCharsets.UTF_8);
    return server.url(name) + "?user=" + server.user() + "&password=" + password;
  }
}
