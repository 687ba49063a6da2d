package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OutputsTest {
  private static final List<Finding> FINDINGS =
      List.of(
          Finding.atLeast(0.95, "new keys", "by hand", 0.97),
          Finding.atMost(2, "p99", "idle", 2.5));

  @TempDir Path folder;

  @Test
  void writesFindingsForPrograms() throws Exception {
    Path file = folder.resolve("out/findings.json");
    Outputs outputs = outputs("--json", file.toString());

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
  void replacesTheTableOfAPartAndKeepsTheTextAround() throws Exception {
    Path page = folder.resolve("benchmarks.md");
    Path charts = Files.createDirectory(folder.resolve("charts"));
    Files.writeString(page, "A\n<!-- begin:load -->\nold\n<!-- end:load -->\nB\n");
    Table table =
        new Table("T", "name | calls/s")
            .charted("calls/s", "name")
            .row("Once", 1.5)
            .row("other", Double.NaN)
            .add(FINDINGS.get(1));

    outputs("--rounds", "5", "--markdown", page.toString(), "--svg=" + charts, "--quick")
        .write(Part.LOAD, new Report("On a machine.", List.of(table)));

    assertThat(charts.resolve("load.svg")).content().startsWith("<svg");
    assertThat(page)
        .hasContent(
            """
            A
            <!-- begin:load -->
            `./once bench load --rounds 5 --quick`

            ![load, as a chart](charts/load.svg)

            On a machine.

            **T**

            | name  | calls/s |
            | ---   | ---     |
            | Once  | 1.50    |
            | other | -       |

            **Aims**

            | work | against | ratio | aim | met |
            | ---  | ---     | ---   | --- | --- |
            | p99  | idle    | 2.50  | ≤ 2 | no  |

            <!-- end:load -->
            B
            """);
  }

  @Test
  void refusesAFileWithoutAPlaceForTheTable() throws Exception {
    Path page = Files.writeString(folder.resolve("benchmarks.md"), "nothing");

    assertThatThrownBy(
            () -> outputs("--markdown", page.toString()).requireReady(List.of(Part.LOAD)))
        .hasMessageContaining("<!-- begin:load -->");
  }

  @Test
  void findsAPlaceForEveryPartInTheDocumentation() throws Exception {
    outputs("--markdown", "../docs/benchmarks/tables.md").requireReady(List.of(Part.values()));
  }

  private static Outputs outputs(String... arguments) {
    CommandLine parser = Settings.parser(arguments);
    return Outputs.of(parser.parseArgs(arguments));
  }
}
