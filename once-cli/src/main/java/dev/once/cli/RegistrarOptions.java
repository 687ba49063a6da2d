package dev.once.cli;

import dev.once.workflow.WorkflowRegistrar;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The class that registers an application's workflows, and where it is. */
final class RegistrarOptions {
  private static final String ALL_JARS = "*";

  @Option(names = "--class", paramLabel = "<name>")
  private @Nullable String name;

  @Option(names = "--jars", paramLabel = "<path:...>")
  private @Nullable String jars;

  /** Loads the classes of the application beside those of this program. */
  URLClassLoader loader() {
    List<URL> urls = new ArrayList<>();
    for (String entry : Variables.require("--jars", jars).split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        addTo(urls, entry);
      }
    }
    return new URLClassLoader(
        "application", urls.toArray(URL[]::new), RegistrarOptions.class.getClassLoader());
  }

  /** Adds a jar, a directory of classes, or all jars of a directory: {@code lib/*}. */
  private static void addTo(List<URL> urls, String entry) {
    Path path = Path.of(entry);
    if (entry.endsWith(ALL_JARS)) {
      File[] found =
          new File(entry.substring(0, entry.length() - 1))
              .listFiles(it -> it.getName().endsWith(".jar"));
      if (found == null || found.length == 0) {
        throw new Misuse("--jars: there is no jar in " + path);
      }
      for (File it : found) {
        urls.add(url(it.toPath()));
      }
    } else if (Files.exists(path)) {
      urls.add(url(path));
    } else {
      throw new Misuse("--jars: there is no " + path);
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  WorkflowRegistrar registrar(ClassLoader loader) {
    String required = Variables.require("--class", name);
    try {
      Class<?> type = Class.forName(required, true, loader);
      if (!WorkflowRegistrar.class.isAssignableFrom(type)) {
        throw new Misuse("--class: %s is no WorkflowRegistrar".formatted(required));
      }
      return (WorkflowRegistrar) type.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new Misuse(
          ("--class: %s is not in --jars (an executable jar of Spring Boot has its classes inside:"
                  + " extract it)")
              .formatted(required));
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new Misuse(
          "--class: %s needs to be public, with a public constructor without parameters"
              .formatted(required));
    } catch (InvocationTargetException e) {
      throw new CommandException(
          "the constructor of %s failed: %s".formatted(required, e.getCause()), e);
    }
  }
}
