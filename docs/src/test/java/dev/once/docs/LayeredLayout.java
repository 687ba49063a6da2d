package dev.once.docs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Places the modules of a graph in layers, each above all that it depends on. The steps are those
 * of Sugiyama's method: an arrow that passes a layer gets a bend there; modules and bends of a
 * layer are ordered so that few arrows cross; then each is moved as near to its neighbours as the
 * order allows. The same graph always gets the same layout.
 */
final class LayeredLayout {
  /** Local search ends in one of several orders; the best of this many tries is good enough. */
  private static final int TRIES = 60;

  /** One crossing is worse than any detour. */
  private static final int CROSSING = 10_000;

  private static final int ROUNDS = 200;

  /** A module, or a bend of an arrow. */
  record Node(String name, int layer, boolean isBend) {}

  /** An arrow with the nodes it visits, from top to bottom. */
  record Route(ModuleGraph.Arrow arrow, List<Node> nodes) {}

  private record Segment(Node upper, Node lower) {}

  private final List<Route> routes = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();
  private final List<List<Node>> layers = new ArrayList<>();
  private final Map<Node, Double> centers = new HashMap<>();
  private final ToIntFunction<Node> width;
  private final int gap;

  /**
   * @param width of a node
   * @param gap between two nodes of a layer
   */
  LayeredLayout(ModuleGraph graph, ToIntFunction<Node> width, int gap) {
    this.width = width;
    this.gap = gap;
    graph.modules().forEach(it -> add(node(graph, it)));
    graph.arrows().forEach(it -> route(graph, it));
    order();
    spread();
  }

  List<Route> routes() {
    return routes;
  }

  /** Returns the layers from bottom to top, each from left to right. */
  List<List<Node>> layers() {
    return layers;
  }

  /** Returns the horizontal position of a node; the leftmost node begins at 0. */
  int center(Node node) {
    double left = layers.stream().mapToDouble(it -> left(it.get(0))).min().orElse(0);
    return (int) Math.round(at(node) - left);
  }

  /** Returns the nodes from which segments lead down to {@code node}, from left to right. */
  List<Node> above(Node node) {
    return segments.stream()
        .filter(it -> it.lower().equals(node))
        .map(Segment::upper)
        .sorted((one, other) -> Double.compare(at(one), at(other)))
        .toList();
  }

  /** Returns the nodes to which segments lead down from {@code node}, from left to right. */
  List<Node> below(Node node) {
    return segments.stream()
        .filter(it -> it.upper().equals(node))
        .map(Segment::lower)
        .sorted((one, other) -> Double.compare(at(one), at(other)))
        .toList();
  }

  private static Node node(ModuleGraph graph, String module) {
    return new Node(module, graph.layerOf(module), false);
  }

  private void add(Node node) {
    while (layers.size() <= node.layer()) {
      layers.add(new ArrayList<>());
    }
    layers.get(node.layer()).add(node);
  }

  private void route(ModuleGraph graph, ModuleGraph.Arrow arrow) {
    Node target = node(graph, arrow.to());
    List<Node> nodes = new ArrayList<>(List.of(node(graph, arrow.from())));
    for (int layer = nodes.get(0).layer() - 1; layer > target.layer(); layer--) {
      Node bend = new Node(arrow.from() + " to " + arrow.to(), layer, true);
      add(bend);
      nodes.add(bend);
    }
    nodes.add(target);
    for (int i = 1; i < nodes.size(); i++) {
      segments.add(new Segment(nodes.get(i - 1), nodes.get(i)));
    }
    routes.add(new Route(arrow, List.copyOf(nodes)));
  }

  private void order() {
    Random random = new Random(1);
    List<List<Node>> best = List.of();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      long cost = improve();
      if (cost < least) {
        least = cost;
        best = layers.stream().map(List::copyOf).toList();
      }
      layers.forEach(it -> Collections.shuffle(it, random));
    }
    for (int i = 0; i < best.size(); i++) {
      layers.set(i, best.get(i));
    }
  }

  /** Moves single nodes to better places of their layers until no such move is left. */
  private long improve() {
    long cost = cost();
    for (long before = Long.MAX_VALUE; cost < before; ) {
      before = cost;
      for (List<Node> layer : layers) {
        for (Node node : List.copyOf(layer)) {
          cost = moveToBestPlace(node, layer, cost);
        }
      }
    }
    return cost;
  }

  private long moveToBestPlace(Node node, List<Node> layer, long cost) {
    int best = layer.indexOf(node);
    long least = cost;
    for (int i = 0; i < layer.size(); i++) {
      layer.remove(node);
      layer.add(i, node);
      long moved = cost();
      if (moved < least) {
        least = moved;
        best = i;
      }
    }
    layer.remove(node);
    layer.add(best, node);
    return least;
  }

  private long cost() {
    Map<Node, Integer> places = new HashMap<>();
    for (List<Node> layer : layers) {
      for (int i = 0; i < layer.size(); i++) {
        places.put(layer.get(i), 2 * i - layer.size());
      }
    }
    int[] upper = segments.stream().mapToInt(it -> places.getOrDefault(it.upper(), 0)).toArray();
    int[] lower = segments.stream().mapToInt(it -> places.getOrDefault(it.lower(), 0)).toArray();
    long cost = 0;
    for (int i = 0; i < upper.length; i++) {
      cost += Math.abs(upper[i] - lower[i]);
      for (int j = 0; j < i; j++) {
        boolean meet = segments.get(i).upper().layer() == segments.get(j).upper().layer();
        if (meet && (upper[i] - upper[j]) * (lower[i] - lower[j]) < 0) {
          cost += CROSSING;
        }
      }
    }
    return cost;
  }

  private void spread() {
    for (List<Node> layer : layers) {
      double[] offsets = offsets(layer);
      for (int i = 0; i < offsets.length; i++) {
        centers.put(layer.get(i), offsets[i]);
      }
    }
    List<List<Node>> downwards = new ArrayList<>(layers);
    Collections.reverse(downwards);
    for (int round = 0; round < ROUNDS; round++) {
      downwards.forEach(this::moveToNeighbours);
      layers.forEach(this::moveToNeighbours);
    }
  }

  /**
   * Gives the nodes of a layer the positions that are nearest to those they want, by the sum of
   * squares. Nodes that would overlap form a block, which gets the mean of what its nodes want.
   */
  private void moveToNeighbours(List<Node> layer) {
    double[] offsets = offsets(layer);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      Block block = new Block(wanted(layer.get(i)) - offsets[i], 1);
      while (!blocks.isEmpty() && blocks.get(blocks.size() - 1).start() > block.start()) {
        block = blocks.remove(blocks.size() - 1).with(block);
      }
      blocks.add(block);
    }
    int i = 0;
    for (Block block : blocks) {
      for (int end = i + block.size(); i < end; i++) {
        centers.put(layer.get(i), block.start() + offsets[i]);
      }
    }
  }

  private record Block(double start, int size) {
    Block with(Block next) {
      int sum = size + next.size;
      return new Block((start * size + next.start * next.size) / sum, sum);
    }
  }

  /** The mean of the neighbours' positions; another bend of the same arrow counts most. */
  private double wanted(Node node) {
    double sum = 0;
    double weights = 0;
    for (Node it : Stream.concat(above(node).stream(), below(node).stream()).toList()) {
      double weight = node.isBend() && it.isBend() ? 8 : 1;
      sum += weight * at(it);
      weights += weight;
    }
    return weights == 0 ? at(node) : sum / weights;
  }

  /** The positions of the nodes of a layer if they stand side by side. */
  private double[] offsets(List<Node> layer) {
    double[] offsets = new double[layer.size()];
    for (int i = 1; i < offsets.length; i++) {
      int widths = width.applyAsInt(layer.get(i - 1)) + width.applyAsInt(layer.get(i));
      offsets[i] = offsets[i - 1] + widths / 2.0 + gap;
    }
    return offsets;
  }

  private double left(Node node) {
    return at(node) - width.applyAsInt(node) / 2.0;
  }

  private double at(Node node) {
    return centers.getOrDefault(node, 0.0);
  }
}
