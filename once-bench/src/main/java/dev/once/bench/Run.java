package dev.once.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Measures some parts, one after the other, and prints their results. */
record Run(List<Part> parts, Settings settings, Outputs outputs, PrintStream out) {
  void requireReady() throws IOException {
    outputs.requireReady(parts);
    for (Part part : parts) {
      part.requireReady(settings);
    }
  }

  void measure() throws Exception {
    long begin = System.nanoTime();
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      String place = "%d/%d".formatted(i + 1, parts.size());
      Report report = part.run(settings, line -> say(begin, place, line));
      out.println("\n" + report.toMarkdown());
      findings.addAll(report.findings());
      outputs.write(part, report);
      outputs.write(findings);
    }
    summarise(findings);
  }

  private void say(long begin, String place, String line) {
    out.printf("[%4d s, part %s] %s%n", (System.nanoTime() - begin) / 1_000_000_000L, place, line);
  }

  private void summarise(List<Finding> findings) {
    Table table = Finding.table();
    findings.forEach(it -> it.addTo(table));
    long met = findings.stream().filter(Finding::met).count();
    out.println(table.toMarkdown());
    out.printf("%d of %d aims met, %d missed%n", met, findings.size(), findings.size() - met);
  }
}
