package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SettingsTest {
  @Test
  void readsPartsAndOptions() {
    Settings settings =
        Settings.parse("load", "near-cache", "--callers", "1,8", "--seconds", "0.5", "--rows", "9");

    assertThat(settings.parts()).containsExactly(Part.LOAD, Part.NEAR_CACHE);
    assertThat(settings.callers()).containsExactly(1, 8);
    assertThat(settings.seconds()).isEqualTo(0.5);
    assertThat(settings.rows()).isEqualTo(9);
    assertThat(settings.rounds()).isEqualTo(8);
  }

  @Test
  void takesTheQuickFormAndWhatIsGivenBesides() {
    Settings settings = Settings.parse("--quick", "--rounds", "5");

    assertThat(settings.rounds()).isEqualTo(5);
    assertThat(settings.kills()).isZero();
    assertThat(settings.callers()).containsExactly(1, 64, 512);
    assertThat(settings.connections()).isEqualTo(16);
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> Settings.parse("--fast", "1")).hasMessageContaining("--fast");
    assertThatThrownBy(() -> Settings.parse("--rows")).hasMessageContaining("--rows");
    assertThatThrownBy(() -> Settings.parse("speed")).hasMessageContaining("speed");
    assertThat(Main.run(System.out, "speed")).isEqualTo(2);
  }

  @Test
  void hasTheSameWordsInTheScript() throws Exception {
    Process script = new ProcessBuilder("bash", "../once", "bench", "--help").start();
    String help = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(help).contains(Arrays.stream(Part.values()).map(Part::toString).toList());
    assertThat(new CommandLine(Settings.class).getCommandSpec().options())
        .hasSizeGreaterThan(10)
        .allSatisfy(option -> assertThat(help).contains("  " + option.longestName() + " "));
  }
}
