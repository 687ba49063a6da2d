package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {
  @Test
  void readsPartsAndOptions() {
    Command command =
        Command.parse("load", "scale", "--callers", "1,8", "--seconds", "0.5", "--rows", "1000");

    assertThat(command.parts()).containsExactly(Part.LOAD, Part.SCALE);
    assertThat(command.settings().callers()).containsExactly(1, 8);
    assertThat(command.settings().round()).isEqualTo(Duration.ofMillis(500));
    assertThat(command.settings().rows()).isEqualTo(1000);
  }

  @Test
  void runsEverythingUnlessTold() {
    assertThat(Command.parse().parts()).containsExactly(Part.values());
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> Command.parse("--fast", "1")).hasMessage("unknown option --fast");
    assertThatThrownBy(() -> Command.parse("--rows")).hasMessage("--rows needs a value");
    assertThatThrownBy(() -> Command.parse("speed")).hasMessageContaining("speed");
  }

  @Test
  void replacesOneTableAndKeepsTheTextAround(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("benchmarks.md");
    Files.writeString(file, "A\n<!-- begin:load -->\nold\n<!-- end:load -->\nB\n");

    new MarkdownFile(file).replace("load", new Table("T", "x").row(1.5).toMarkdown());

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            A
            <!-- begin:load -->
            **T**

            | x    |
            | ---  |
            | 1.50 |

            <!-- end:load -->
            B
            """);
  }

  @Test
  void refusesAFileWithoutAPlaceForTheTable(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("benchmarks.md"), "nothing");

    assertThatThrownBy(() -> new MarkdownFile(file).requirePlace(Part.LOAD.label()))
        .hasMessageContaining("<!-- begin:load -->");
  }

  @Test
  void hasAPlaceForEveryPartInTheDocumentation() throws Exception {
    MarkdownFile file = new MarkdownFile(Path.of("..", "docs", "benchmarks.md"));

    for (Part part : List.of(Part.values())) {
      file.requirePlace(part.label());
    }
  }
}
