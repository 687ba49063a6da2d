package dev.once.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The files that results are written to, besides the screen.
 *
 * @param json the file for all findings
 * @param svg the folder for a chart of each part
 * @param markdown the file in which tables are replaced
 * @param options of the command line, to document how a table was made
 */
record Outputs(
    Optional<Path> json, Optional<Path> svg, Optional<MarkdownFile> markdown, String options) {
  static final Outputs NONE = new Outputs(Optional.empty(), Optional.empty(), Optional.empty(), "");

  /** Checks that the outputs can be written, before anything is measured. */
  void requireReady(List<Part> parts) throws IOException {
    if (svg.isPresent()) {
      Files.createDirectories(svg.get());
    }
    if (json.isPresent() && json.get().toAbsolutePath().getParent() != null) {
      Files.createDirectories(json.get().toAbsolutePath().getParent());
    }
    for (Part part : parts) {
      if (markdown.isPresent()) {
        markdown.get().requirePlace(part.label());
      }
    }
  }

  /** Writes the chart and the tables of one part. */
  void write(Part part, Report report) throws IOException {
    Optional<Path> chart = Optional.empty();
    if (svg.isPresent() && report.chart().isPresent()) {
      chart = Optional.of(svg.get().resolve(part.label() + ".svg"));
      Files.writeString(chart.get(), report.chart().get().toSvg());
    }
    if (markdown.isPresent()) {
      String shown = chart.map(it -> shown(markdown.get(), it, part)).orElse("");
      markdown.get().replace(part.label(), made(part) + shown + report.toMarkdown());
    }
  }

  /** Returns the link to the chart, relative to the page. */
  private static String shown(MarkdownFile page, Path chart, Part part) {
    Path folder = page.path().toAbsolutePath().normalize().getParent();
    Path way = Objects.requireNonNull(folder).relativize(chart.toAbsolutePath().normalize());
    return "![%s, as a chart](%s)\n\n"
        .formatted(part.label(), way.toString().replace(File.separatorChar, '/'));
  }

  /** Writes the findings of all parts so far, since later parts may fail. */
  void write(List<Finding> findings) throws IOException {
    if (json.isPresent()) {
      new FindingsFile(json.get()).write(findings);
    }
  }

  /** Returns the command that runs this part alone. */
  private String made(Part part) {
    return "`%s`\n\n".formatted(("./once bench " + part.label() + " " + options).strip());
  }
}
