package dev.once.console;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Runs axe-core in a page. */
final class Axe {
  private static final String RUN =
      """
      () => axe.run(document, { resultTypes: ['violations'] }).then(it => it.violations.map(
          v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | ')))
      """;

  private Axe() {}

  /** Returns what a person with a keyboard or a screen reader would stumble over. */
  static List<?> violations(Page page) throws IOException {
    if ((boolean) page.evaluate("() => typeof axe === 'undefined'")) {
      addTo(page);
    }
    return (List<?>) page.evaluate(RUN);
  }

  private static void addTo(Page page) throws IOException {
    try (InputStream script = Axe.class.getResourceAsStream("/axe.min.js")) {
      byte[] bytes = Objects.requireNonNull(script, "axe-core has moved its script").readAllBytes();
      page.addScriptTag(
          new Page.AddScriptTagOptions().setContent(new String(bytes, StandardCharsets.UTF_8)));
    }
  }
}
