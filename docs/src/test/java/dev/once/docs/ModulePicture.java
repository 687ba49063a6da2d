package dev.once.docs;

import dev.once.docs.LayeredLayout.Node;
import dev.once.docs.LayeredLayout.Route;
import java.util.List;

/** Draws modules and their dependencies as SVG that is readable on light and on dark pages. */
final class ModulePicture {
  private static final int MARGIN = 20;
  private static final int GAP = 26;
  private static final int HEIGHT = 38;
  private static final int LAYER = HEIGHT + 64;
  private static final int ARROW_HEAD = 8;
  private static final int LEGEND = 40;

  /** In the colours of the charts of the benchmarks. */
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #1f2328 }
        rect { fill: #f6f8fa; stroke: #d1d9e0 }
        path { fill: none; stroke: #8c959f; stroke-width: 1.5 }
        marker path { fill: #8c959f; stroke: none }
        .optional { stroke-dasharray: 5 4 }
        .legend { font-size: 12px; text-anchor: start; fill: #59636e }
        rect.core { fill: #1a7f64; stroke: #1a7f64 }
        text.core { font-weight: 600; fill: #ffffff }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 }
          rect { fill: #161b22; stroke: #3d444d }
          path { stroke: #6e7681 }
          marker path { fill: #6e7681 }
          .legend { fill: #9198a1 }
          rect.core { fill: #238a69; stroke: #238a69 }
        }
      </style>
      <marker id="head" viewBox="0 0 8 8" refY="4" markerWidth="8" markerHeight="8" \
      markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker>
      """;

  private final LayeredLayout layout;
  private final StringBuilder svg = new StringBuilder();

  private ModulePicture(ModuleGraph graph) {
    layout = new LayeredLayout(graph, ModulePicture::widthOf, GAP);
  }

  static String of(ModuleGraph graph) {
    return new ModulePicture(graph).draw();
  }

  private String draw() {
    List<Node> nodes = layout.layers().stream().flatMap(List::stream).toList();
    int width = MARGIN + nodes.stream().mapToInt(it -> x(it) + widthOf(it) / 2).max().orElse(0);
    int height = 2 * MARGIN + (layout.layers().size() - 1) * LAYER + HEIGHT + LEGEND;
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        .append(width + " " + height + "\" ")
        .append("width=\"" + width + "\" height=\"" + height + "\" role=\"img\">\n")
        .append("<title>The modules of Once and their dependencies</title>\n")
        .append(STYLE);
    layout.routes().forEach(this::drawArrow);
    nodes.stream().filter(it -> !it.isBend()).forEach(this::drawModule);
    drawLegend(height - MARGIN);
    return svg.append("</svg>\n").toString();
  }

  private void drawArrow(Route route) {
    List<Node> nodes = route.nodes();
    Node first = nodes.get(0);
    int x = port(first, layout.below(first), nodes.get(1));
    int y = top(first) + HEIGHT;
    StringBuilder line = new StringBuilder("M" + x + " " + y);
    for (int i = 1; i < nodes.size(); i++) {
      Node next = nodes.get(i);
      int nextX = port(next, layout.above(next), nodes.get(i - 1));
      int nextY = next.isBend() ? top(next) : top(next) - ARROW_HEAD;
      int middle = (y + nextY) / 2;
      line.append(" C" + x + " " + middle + " " + nextX + " " + middle);
      line.append(" " + nextX + " " + nextY);
      x = nextX;
      y = top(next) + HEIGHT;
      if (next.isBend()) {
        line.append(" V" + y);
      }
    }
    svg.append(path(route.arrow().isOptional(), line.toString()));
  }

  /** Returns where an arrow meets a module, so that its arrows do not meet each other. */
  private int port(Node node, List<Node> neighbours, Node neighbour) {
    int count = neighbours.size();
    double step = Math.min(26, (widthOf(node) - 30.0) / Math.max(1, count - 1));
    return (int) Math.round(x(node) + step * (neighbours.indexOf(neighbour) - (count - 1) / 2.0));
  }

  private void drawModule(Node node) {
    String kind = node.name().equals("once-core") ? " class=\"core\"" : "";
    int width = widthOf(node);
    svg.append("<rect" + kind + " x=\"" + (x(node) - width / 2) + "\" y=\"" + top(node) + "\" ")
        .append("width=\"" + width + "\" height=\"" + HEIGHT + "\" rx=\"8\"/>\n")
        .append("<text" + kind + " x=\"" + x(node) + "\" y=\"" + (top(node) + 24) + "\">")
        .append(node.name() + "</text>\n");
  }

  private void drawLegend(int y) {
    svg.append(path(false, "M" + MARGIN + " " + y + " h34"))
        .append(legend(MARGIN + 50, y, "depends on"))
        .append(path(true, "M" + (MARGIN + 140) + " " + y + " h34"))
        .append(legend(MARGIN + 190, y, "optional"));
  }

  private static String legend(int x, int y, String text) {
    return "<text class=\"legend\" x=\"" + x + "\" y=\"" + (y + 4) + "\">" + text + "</text>\n";
  }

  private static String path(boolean isOptional, String line) {
    String kind = isOptional ? " class=\"optional\"" : "";
    return "<path" + kind + " d=\"" + line + "\" marker-end=\"url(#head)\"/>\n";
  }

  private int x(Node node) {
    return MARGIN + layout.center(node);
  }

  private int top(Node node) {
    return MARGIN + (layout.layers().size() - 1 - node.layer()) * LAYER;
  }

  /** Fonts differ: there is room for a wide one. */
  private static int widthOf(Node node) {
    return node.isBend() ? 14 : Math.max(96, node.name().length() * 15 / 2 + 32) / 2 * 2;
  }
}
