package dev.once.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A module of the reactor, as its pom declares it.
 *
 * @param name of the artifact
 * @param rootPackage the package named like the module
 * @param isPublished whether applications can depend on it
 * @param dependencies on other modules of Once, those of its tests aside
 */
record MavenModule(
    String name, String rootPackage, boolean isPublished, List<Dependency> dependencies) {
  private static final Set<String> REQUIRED_SCOPES = Set.of("", "compile", "runtime");

  /** A dependency on the module {@code on}; if it is optional, applications may do without it. */
  record Dependency(String on, boolean isOptional) {}

  MavenModule {
    dependencies = List.copyOf(dependencies);
  }

  /**
   * Returns the modules that applications use. Examples, benchmarks and these tests assemble them,
   * as an application does.
   */
  static List<MavenModule> libraries() {
    return children(pom(Repository.ROOT), "modules", "module").stream()
        .map(it -> read(Repository.ROOT.resolve(it.getTextContent())))
        .filter(it -> it.name.startsWith("once-") && it.isPublished)
        .toList();
  }

  /** Returns the packages a module may have: its own, one for its extenders and a hidden one. */
  List<String> packages() {
    return Stream.of("", ".spi", ".internal").map(it -> rootPackage + it).toList();
  }

  private static MavenModule read(Path directory) {
    Element pom = pom(directory);
    boolean isJar = text(pom, "packaging").matches("|jar");
    boolean isSkipped = text(pom, "properties", "maven.deploy.skip").equals("true");
    return new MavenModule(
        text(pom, "artifactId"),
        text(pom, "properties", "once.module"),
        isJar && !isSkipped,
        dependencies(pom));
  }

  private static List<Dependency> dependencies(Element pom) {
    List<Dependency> dependencies = new ArrayList<>();
    for (Element it : children(pom, "dependencies", "dependency")) {
      String scope = text(it, "scope");
      if (text(it, "groupId").equals("dev.once") && !scope.equals("test")) {
        boolean isRequired =
            REQUIRED_SCOPES.contains(scope) && !text(it, "optional").equals("true");
        dependencies.add(new Dependency(text(it, "artifactId"), !isRequired));
      }
    }
    return dependencies;
  }

  private static Element pom(Path directory) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(directory.resolve("pom.xml").toFile())
          .getDocumentElement();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("cannot read the pom of " + directory, e);
    }
  }

  /** Returns the text of the element at a path, or an empty text if there is none. */
  private static String text(Element from, String... path) {
    return children(from, path).stream()
        .findFirst()
        .map(it -> it.getTextContent().strip())
        .orElse("");
  }

  private static List<Element> children(Element from, String... path) {
    List<Element> found = List.of(from);
    for (String name : path) {
      found = found.stream().flatMap(it -> children(it, name).stream()).toList();
    }
    return found;
  }

  private static List<Element> children(Element from, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = from.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element it && it.getTagName().equals(name)) {
        found.add(it);
      }
    }
    return found;
  }
}
