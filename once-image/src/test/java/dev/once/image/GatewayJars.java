package dev.once.image;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The gateway and its libraries as Maven has them while it tests this module. */
final class GatewayJars {
  private static final Path LIST = Path.of("target/gateway.classpath");

  private GatewayJars() {}

  /** Returns jars, and folders with classes of modules that are not packaged yet. */
  static List<Path> classPath() throws IOException {
    String list = Files.readString(LIST).strip();
    return Stream.of(list.split(File.pathSeparator, -1)).map(Path::of).toList();
  }

  /** Puts jars of all of them into a folder. */
  static Path in(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Path entry : classPath()) {
      if (Files.isDirectory(entry)) { // once-core/target/classes
        Path module = entry.getName(entry.getNameCount() - 3);
        pack(entry, folder.resolve(module + "-0.jar"));
      } else {
        Files.createSymbolicLink(folder.resolve(entry.getFileName()), entry);
      }
    }
    return folder;
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        ZipEntry entry = new ZipEntry(classes.relativize(file).toString());
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
      }
    }
  }
}
