package dev.once.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The JSON of the guide is what the description says; the line above a block names its schema. */
class GuideTest {
  private static final Path GUIDE = Path.of("../docs/guides/any-language.md");
  private static final Pattern BLOCK = Pattern.compile("(?s)```json\n(.*?)```");
  private static final Pattern WITH_SCHEMA =
      Pattern.compile("(?s)<!-- schema: (\\w+) -->\n```json\n(.*?)```");

  @Test
  void showsJsonThatTheDescriptionAccepts() throws IOException {
    String page = Files.readString(GUIDE);
    List<MatchResult> blocks = WITH_SCHEMA.matcher(page).results().toList();

    assertThat(blocks).isNotEmpty().hasSize((int) BLOCK.matcher(page).results().count());
    for (MatchResult block : blocks) {
      String schema = "/components/schemas/" + block.group(1);
      assertThat(Description.schema(schema).validate(Description.MAPPER.readTree(block.group(2))))
          .as(block.group())
          .isEmpty();
    }
  }
}
