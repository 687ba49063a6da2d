package dev.once.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A pom.xml of this repository as it is written, without what it inherits. */
record Pom(Path file, Element project) {
  static Pom read(Path directory) {
    Path file = directory.resolve("pom.xml");
    try {
      var parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      return new Pom(file, parser.parse(file.toFile()).getDocumentElement());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException(file + " must be XML", e);
    }
  }

  /** The poms of all modules that the root lists, those that need a newer JDK too. */
  static List<Pom> modules() {
    Pom root = read(Repository.ROOT);
    return Stream.concat(
            root.find("modules", "module"), root.find("profiles", "profile", "modules", "module"))
        .map(it -> read(Repository.ROOT.resolve(it.getTextContent())))
        .toList();
  }

  /** The modules that users depend on: all jars that are deployed. */
  static List<Pom> libraries() {
    return modules().stream().filter(it -> it.isJar() && it.isDeployed()).toList();
  }

  /** Its version, or that of its parent. */
  String version() {
    return text("version").isEmpty() ? text("parent", "version") : text("version");
  }

  /** The text of the element at {@code path}, or nothing if there is none. */
  String text(String... path) {
    return find(path).map(Node::getTextContent).findFirst().orElse("").strip();
  }

  /** All elements at {@code path}, which starts below the project. */
  Stream<Element> find(String... path) {
    Stream<Element> found = Stream.of(project);
    for (String name : path) {
      found = found.flatMap(it -> children(it, name));
    }
    return found;
  }

  private boolean isJar() {
    String packaging = text("packaging");
    return packaging.isEmpty() || packaging.equals("jar");
  }

  private boolean isDeployed() {
    return !text("properties", "maven.deploy.skip").equals("true");
  }

  private static Stream<Element> children(Element parent, String name) {
    NodeList nodes = parent.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(it -> it.getNodeName().equals(name))
        .map(Element.class::cast);
  }
}
