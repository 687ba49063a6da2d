package dev.once.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./once image}: writes the image of the gateway. The script prints the help, and adds the
 * options that it alone knows.
 */
@Command(name = "image")
final class ImageCommand implements Callable<Integer> {
  @Option(names = "--output")
  private @Nullable Path output;

  @Option(names = "--name")
  private @Nullable String name;

  @Option(names = "--jars", required = true, hidden = true)
  private Path jars = Path.of("");

  @Option(names = "--version", required = true, hidden = true)
  private String version = "";

  @Option(names = "--folder", hidden = true)
  private Path folder = Path.of(System.getProperty("once.folder", ".once"));

  @Override
  public Integer call() throws IOException, InterruptedException {
    Platform platform = Platform.current();
    ImageName named = ImageName.parse(name == null ? "once-gateway:" + version : name);
    Path target = output == null ? folder.resolve("once-gateway.tar") : output;
    requireFree(target);
    Path parent = Files.createDirectories(target.toAbsolutePath().getParent());
    Path workspace = Files.createTempDirectory(parent, ".image");
    try {
      Path layout = workspace.resolve("layout");
      GatewayImage image =
          new GatewayImage(Path.of(System.getProperty("java.home")), files(jars), named, version);
      image.write(new OciLayout(layout), workspace);
      move(isTar(target) ? tar(layout, workspace.resolve("tar")) : layout, target);
    } finally {
      delete(workspace);
    }
    System.out.println(
        "%s for %s/%s is in %s".formatted(named, platform.os(), platform.architecture(), target));
    return 0;
  }

  private static boolean isTar(Path target) {
    return target.toString().endsWith(".tar");
  }

  /** A tar is replaced; a folder may have other files in it. */
  private static void requireFree(Path target) {
    if (!isTar(target) && Files.exists(target)) {
      throw new ImageException(
          target + " exists: name a folder that does not exist, or a file that ends in .tar");
    }
    if (isTar(target) && Files.isDirectory(target)) {
      throw new ImageException(target + " is a folder: name a file");
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> it.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static Path tar(Path layout, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      new TarFile().tree("", layout).write(out);
    }
    return file;
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
