package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
  void takesTheQuickFormAndWhatIsGivenBesides() {
    Settings settings = Command.parse("--quick", "--rounds", "5").settings();

    assertThat(settings).isEqualTo(Settings.QUICK.withRounds(5));
  }

  @Test
  void warmsAServiceUpFor25SecondsUnlessQuick() {
    Duration full = Command.parse("http", "--seconds", "0.2").settings().httpWarmUp();
    Duration quick = Command.parse("http", "--quick").settings().httpWarmUp();

    assertThat(full).isEqualTo(Duration.ofSeconds(25));
    assertThat(quick).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void tellsHowItMeasuresAndNotWhereItWrites() {
    Command command =
        Command.parse("load", "--rounds", "5", "--json", "a.json", "--svg=b", "--quick");

    assertThat(command.outputs().options()).isEqualTo("--rounds 5 --quick");
    assertThat(command.outputs().json()).contains(Path.of("a.json"));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> Command.parse("--fast", "1")).hasMessageContaining("--fast");
    assertThatThrownBy(() -> Command.parse("--rows")).hasMessageContaining("--rows");
    assertThatThrownBy(() -> Command.parse("speed").parts()).hasMessageContaining("no part speed");
  }

  @Test
  void namesEveryPartAndOptionInItsHelp() {
    ByteArrayOutputStream help = new ByteArrayOutputStream();

    Command.help(new PrintStream(help, true, StandardCharsets.UTF_8));

    assertThat(help.toString(StandardCharsets.UTF_8))
        .startsWith("usage: ./once bench [<part>...] [options]")
        .contains(new PartNames())
        .contains("--quick", "--json", "--svg", "--markdown");
  }

  @Test
  void hasTheSameWordsInTheScript() throws Exception {
    Process script = new ProcessBuilder("bash", "../once", "bench", "--help").start();
    String help = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(help).contains(new PartNames());
    assertThat(new CommandLine(new Command()).getCommandSpec().options())
        .filteredOn(option -> !option.usageHelp())
        .hasSizeGreaterThan(10)
        .allSatisfy(option -> assertThat(help).contains("  " + option.longestName() + " "));
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
    MarkdownFile file = new MarkdownFile(Path.of("..", "docs", "benchmarks", "tables.md"));

    for (Part part : List.of(Part.values())) {
      file.requirePlace(part.label());
    }
  }
}
