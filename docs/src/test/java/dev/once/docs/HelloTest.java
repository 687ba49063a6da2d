package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The first program of the README prints what the README says. */
class HelloTest {
  @Test
  void printsWhatTheReadmeSays() throws Exception {
    Path core = Path.of(Once.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process hello =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                core.toString(),
                Repository.ROOT.resolve("examples/Hello.java").toString())
            .redirectErrorStream(true)
            .start();
    String printed =
        new String(hello.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

    assertThat(hello.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Repository.page("README.md").blocksIn("")).contains(printed);
  }
}
