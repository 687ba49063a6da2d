package dev.once.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The files that results are written to, besides the screen.
 *
 * @param json the file for all findings
 * @param svg the folder for a chart of each part
 * @param markdown the file in which tables are replaced
 * @param options of the command line, to document how a table was made
 */
record Outputs(@Nullable Path json, @Nullable Path svg, @Nullable Path markdown, String options) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final Set<String> NAMES = Set.of("--json", "--svg", "--markdown");

  static Outputs of(ParseResult parsed) {
    Settings settings = parsed.commandSpec().commandLine().getCommand();
    String options =
        parsed.matchedOptions().stream()
            .filter(it -> !NAMES.contains(it.longestName()))
            .map(Outputs::text)
            .collect(Collectors.joining());
    return new Outputs(settings.json(), settings.svg(), settings.markdown(), options);
  }

  private static String text(OptionSpec option) {
    boolean isFlag = option.arity().max() == 0;
    String value = isFlag ? "" : " " + String.join(",", option.originalStringValues());
    return " " + option.longestName() + value;
  }

  /** Checks that the outputs can be written, before anything is measured. */
  void requireReady(List<Part> parts) throws IOException {
    if (svg != null) {
      Files.createDirectories(svg);
    }
    if (json != null) {
      Files.createDirectories(folderOf(json));
    }
    if (markdown != null) {
      String text = Files.readString(markdown);
      for (Part part : parts) {
        if (!text.contains(begin(part)) || text.indexOf(end(part)) < text.indexOf(begin(part))) {
          throw new IllegalArgumentException(
              "%s must have the lines %s and %s".formatted(markdown, begin(part), end(part)));
        }
      }
    }
  }

  /** Writes the chart and the tables of one part. */
  void write(Part part, Report report) throws IOException {
    Optional<Chart> chart = svg == null ? Optional.empty() : report.chart();
    Path file = svg == null ? Path.of("") : svg.resolve(part + ".svg");
    if (chart.isPresent()) {
      Files.writeString(file, chart.get().toSvg());
    }
    if (markdown != null) {
      Path way = folderOf(markdown).relativize(file.toAbsolutePath().normalize());
      String link =
          "![%s, as a chart](%s)\n\n"
              .formatted(part, way.toString().replace(File.separatorChar, '/'));
      String command = "`./once bench " + part + options + "`\n\n";
      replace(markdown, part, command + (chart.isPresent() ? link : "") + report.toMarkdown());
    }
  }

  /** Replaces the text between the two markers of a part in a hand-written file. */
  private static void replace(Path file, Part part, String text) throws IOException {
    String old = Files.readString(file);
    String before = old.substring(0, old.indexOf(begin(part)));
    String after = old.substring(old.indexOf(end(part)));
    Files.writeString(file, before + begin(part) + "\n" + text + "\n" + after);
  }

  private static String begin(Part part) {
    return "<!-- begin:" + part + " -->";
  }

  private static String end(Part part) {
    return "<!-- end:" + part + " -->";
  }

  /** Writes the findings of all parts so far, since later parts may fail. */
  void write(List<Finding> findings) throws IOException {
    if (json != null) {
      JSON.writeValue(json.toFile(), findings);
    }
  }

  private static Path folderOf(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
  }
}
