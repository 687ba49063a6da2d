package dev.once.bench;

import java.util.List;
import java.util.Locale;

/**
 * A bar chart as SVG that is readable on light and on dark pages.
 *
 * @param unit of the numbers
 */
record Chart(String title, String unit, List<Bar> bars) {
  private static final int WIDTH = 860;
  private static final int LABEL_WIDTH = 330;
  private static final int MAX_BAR_WIDTH = 440;
  private static final int LINE = 22;
  private static final int THICKNESS = 15;
  private static final int TOP = 52;

  /** In the browser's own colours: the page around the picture decides whether it is dark. */
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #1f2328 }
        .title { font-size: 16px; font-weight: 600 }
        .group { font-weight: 600 }
        .once { fill: #1a7f64 }
        .other { fill: #8c959f }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 }
          .once { fill: #3fb68b }
          .other { fill: #6e7681 }
        }
      </style>
      """;

  record Bar(String group, String label, double value) {}

  String toSvg() {
    StringBuilder body = new StringBuilder(text("title", 10, LINE, "start", title + ", " + unit));
    int y = TOP;
    String group = "";
    for (Bar bar : bars) {
      if (!bar.group.equals(group)) {
        group = bar.group;
        body.append(text("group", 10, y + LINE / 2, "start", group));
        y += LINE / 2 + LINE;
      }
      body.append(line(bar, y));
      y += LINE;
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
        <title>%3$s</title>
        %4$s%5$s</svg>
        """
        .formatted(WIDTH, y, escaped(title), STYLE, body);
  }

  private String line(Bar bar, int y) {
    long width = Math.max(1, Math.round(MAX_BAR_WIDTH * bar.value / longest(bar.group)));
    boolean isOnce = bar.label.toLowerCase(Locale.ROOT).startsWith("once");
    return text("label", LABEL_WIDTH - 8, y, "end", bar.label)
        + "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"/>%n"
            .formatted(isOnce ? "once" : "other", LABEL_WIDTH, y - THICKNESS + 3, width, THICKNESS)
        + text("value", LABEL_WIDTH + width + 6, y, "start", Table.text(bar.value));
  }

  /** Each group has its own scale: few callers do far less than many, and must stay readable. */
  private double longest(String group) {
    return bars.stream()
        .filter(it -> it.group.equals(group))
        .mapToDouble(Bar::value)
        .max()
        .orElseThrow();
  }

  private static String text(String kind, long x, int y, String anchor, String text) {
    return "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n"
        .formatted(kind, x, y, anchor, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
