package dev.once.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageCommandTest {
  @TempDir private Path folder;

  @Test
  void refusesAFolderThatExists() throws IOException {
    Path file = Files.writeString(folder.resolve("thesis.txt"), "mine");

    assertThat(run("--output", folder.toString())).isEqualTo(1);

    assertThat(folder).isDirectoryContaining(it -> it.equals(file));
    assertThat(file).hasContent("mine");
  }

  @Test
  void isMisusedWithAnUnknownOption() {
    assertThat(run("--registry", "example.com")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "once-gateway",
        "once-gateway:",
        ":1.0",
        "Once:1.0",
        "once gateway:1.0",
        "once-gateway:1.0 --privileged",
        "a/../b:1",
        "once-gateway:-1"
      })
  void refusesANameThatNoEngineTakes(String name) {
    assertThatThrownBy(() -> ImageName.parse(name))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("name must be a repository and a tag");
  }

  @Test
  void takesANameWithARegistry() {
    assertThat(ImageName.parse("registry.example.com:5000/team/once-gateway:1.0").inFull())
        .isEqualTo("registry.example.com:5000/team/once-gateway:1.0");
    assertThat(ImageName.parse("once-gateway:1.0").inFull())
        .isEqualTo("docker.io/library/once-gateway:1.0");
  }

  @Test
  void refusesSystemsWithoutTheLibrariesOfAnImage() {
    assertThatThrownBy(() -> Platform.of("Mac OS X", "aarch64"))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("run ./once image on Linux");
    assertThat(Platform.of("Linux", "aarch64")).isEqualTo(new Platform("linux", "arm64"));
  }

  @Test
  void refusesAJavaWithoutJlink() {
    assertThatThrownBy(() -> JavaRuntime.make(folder, folder.resolve("java")))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("point JAVA_HOME at a whole JDK");
  }

  @Test
  void tellsWhatAToolSaysWhenItFails() throws Exception {
    assertThatThrownBy(() -> Tool.run(List.of("sh", "-c", "echo no such file; exit 3")))
        .isInstanceOf(ImageException.class)
        .hasMessage("sh ends with 3: no such file");
  }

  private int run(String... options) {
    List<String> all = new ArrayList<>(List.of("--jars", folder.toString()));
    all.addAll(List.of("--version", "1.0"));
    all.addAll(List.of(options));
    return Main.run(all.toArray(String[]::new));
  }
}
