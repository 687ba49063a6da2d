package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in docs/guides/gateway.md are those that run, and its settings can be used. */
class GuideTest {
  private static final Path GUIDE = Path.of("../docs/guides/gateway.md");
  private static final Path EXAMPLE = Path.of("../examples/gateway/gateway.yaml");
  private static final Path SERVICE = Path.of("../examples/gateway/orders.mjs");

  @TempDir private Path folder;

  @Test
  void showsTheExamples() throws IOException {
    assertThat(blocks("yaml").get(0)).isEqualTo(Files.readString(EXAMPLE));
    assertThat(blocks("js")).containsExactly(Files.readString(SERVICE));
  }

  @Test
  void showsAuthenticationThatCanBeUsed() throws IOException {
    Path file = folder.resolve("gateway.yaml");
    Files.writeString(file, "upstream: {url: 'http://127.0.0.1:1'}\n" + blocks("yaml").get(1));

    AuthenticationSettings settings = SettingsFile.read(file).authentication();

    assertThat(settings.jwt()).isPresent();
    assertThat(settings.apiKeys()).hasSize(1);
    assertThat(settings.trusted()).isPresent();
  }

  @Test
  void showsWebhooksThatCanBeUsed() throws IOException {
    Path file = folder.resolve("gateway.yaml");
    Files.writeString(file, "upstream: {url: 'http://127.0.0.1:1'}\n" + blocks("yaml").get(2));

    assertThat(SettingsFile.read(file).webhooks()).hasSize(1);
  }

  private static List<String> blocks(String language) throws IOException {
    Pattern block = Pattern.compile("(?s)```" + language + "\n(.*?)```");
    return block.matcher(Files.readString(GUIDE)).results().map(it -> it.group(1)).toList();
  }
}
