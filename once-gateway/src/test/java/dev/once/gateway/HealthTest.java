package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a supervisor asks a gateway, such as a container engine or an orchestrator. */
@Timeout(60)
class HealthTest {
  private static final String ON_ALL_ADDRESSES =
      """
      listen: {host: 127.0.0.1, port: 0}
      admin: {host: 0.0.0.0, port: 0}
      upstream: {url: 'http://127.0.0.1:1'}
      """;

  @TempDir private Path folder;

  @Test
  void isAskedByTheSettingsOfTheGateway() throws Exception {
    Path file = Files.writeString(folder.resolve("gateway.yaml"), ON_ALL_ADDRESSES);
    try (RunningGateway gateway =
        RunningGateway.start(SettingsFile.read(file), RunningGateway.database())) {
      String port = Integer.toString(gateway.gateway().adminPort());

      assertThat(health(file, port)).isZero();
    }
  }

  @Test
  void isBadWithoutAGateway() throws Exception {
    Path file = Files.writeString(folder.resolve("gateway.yaml"), ON_ALL_ADDRESSES);

    assertThat(health(file, freePort())).isEqualTo(1);
  }

  @Test
  void isForOthersWhileTheConsoleIsNot() throws Exception {
    Optional<InetAddress> address = addressOfThisMachine();
    assumeTrue(address.isPresent(), "this machine has no address but that of itself");
    Path file = Files.writeString(folder.resolve("gateway.yaml"), ON_ALL_ADDRESSES);
    try (RunningGateway gateway =
        RunningGateway.start(SettingsFile.read(file), RunningGateway.database())) {
      String others =
          "http://" + address.get().getHostAddress() + ":" + gateway.gateway().adminPort();

      assertThat(get(others + "/once/health").statusCode()).isEqualTo(200);
      assertThat(get(others + "/once/alive").statusCode()).isEqualTo(204);
      assertThat(get(others + "/metrics").statusCode()).isEqualTo(200);
      assertThat(get(others + "/once/").statusCode()).isEqualTo(403);
      assertThat(get(others + "/once/api/records").statusCode()).isEqualTo(403);
      assertThat(gateway.admin("/once/")).contains("<title>");
    }
  }

  @Test
  void readsThePasswordOfTheDatabaseFromAFile() {
    StoreSettings store = StoreSettings.DEFAULT.withUrl("jdbc:postgresql://127.0.0.1:1/once");
    Map<String, String> environment = Map.of("DATABASE_PASSWORD_FILE", "/nowhere/password");

    assertThatThrownBy(() -> GatewayStore.open(store, folder, environment))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("DATABASE_PASSWORD_FILE /nowhere/password cannot be read");
  }

  private static int health(Path settings, String adminPort) {
    return Main.run(
        Map.of(), "--config", settings.toString(), "--admin-port", adminPort, "--health");
  }

  private static String freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  private static HttpResponse<String> get(String address) throws Exception {
    return RunningGateway.send(HttpRequest.newBuilder(URI.create(address)).build());
  }

  private static Optional<InetAddress> addressOfThisMachine() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(it -> it.getAddress().length == 4 && !it.isLoopbackAddress())
        .findFirst();
  }
}
