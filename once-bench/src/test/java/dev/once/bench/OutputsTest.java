package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputsTest {
  private static final List<Finding> FINDINGS =
      List.of(
          new Finding("new keys", "by hand", 0.97, Aim.atLeast(0.95)),
          new Finding("p99", "idle", 2.5, Aim.atMost(2)));

  @TempDir Path folder;

  @Test
  void writesFindingsForPrograms() throws Exception {
    Path file = folder.resolve("out/findings.json");
    Outputs outputs = outputs(Optional.of(file), Optional.empty(), Optional.empty());

    outputs.requireReady(List.of(Part.LOAD));
    outputs.write(FINDINGS);

    assertThat(new ObjectMapper().readTree(file.toFile()))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    [{"work": "new keys", "against": "by hand", "ratio": 0.97, "aim": 0.95,
                      "met": true},
                     {"work": "p99", "against": "idle", "ratio": 2.5, "aim": 2.0, "met": false}]
                    """));
  }

  @Test
  void writesAChartAndATableForEachPart() throws Exception {
    Path page = folder.resolve("benchmarks.md");
    Path charts = Files.createDirectory(folder.resolve("benchmarks"));
    Files.writeString(page, "<!-- begin:load -->\n<!-- end:load -->\n");
    Outputs outputs =
        outputs(Optional.empty(), Optional.of(charts), Optional.of(new MarkdownFile(page)));
    Table table =
        new Table("T", "who", "calls/s", "aim", "met")
            .charted("calls/s", "who")
            .row("Once", 1.5, FINDINGS.get(1))
            .row("other", 1.0, Optional.empty());

    outputs.write(Part.LOAD, new Report("On a machine.", List.of(table)));

    assertThat(charts.resolve("load.svg")).content().startsWith("<svg");
    assertThat(page)
        .content()
        .contains("`./once bench load --rounds 1`", "| Once  | 1.50    | ≤ 2 | no  |")
        .contains("![load, as a chart](benchmarks/load.svg)");
  }

  private static Outputs outputs(
      Optional<Path> json, Optional<Path> svg, Optional<MarkdownFile> markdown) {
    return new Outputs(json, svg, markdown, "--rounds 1");
  }
}
