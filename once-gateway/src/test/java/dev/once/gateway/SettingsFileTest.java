package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Recovery;
import dev.once.http.Contract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsFileTest {
  private static final Path EXAMPLE = Path.of("../examples/gateway/gateway.yaml");

  /** With all names that a file may have. */
  private static final List<String> EXAMPLES =
      List.of(
          text(EXAMPLE),
          """
          listen: {port: 0, idleTimeout: 3s, bodyGrace: 5s, minBodyRate: 1KiB, maxHeader: 8KiB}
          admin: {host: localhost, port: 0}
          store: {url: 'jdbc:postgresql://localhost/once', user: once}
          upstreams:
            - {path: /a, url: 'http://127.0.0.1:9000', timeout: 3s}
            - {path: /b, url: 'https://localhost/x', breaker: {failureRate: 50, calls: 20, openTime: 10s}}
          trustedAuthorities: ca.pem
          authentication:
            jwt: {jwks: 'https://i/k', algorithms: [RS256], issuer: i, audience: a, clockSkew: 3s}
            apiKeys:
              - {sha256: 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b, tenant: a, caller: b}
            trustedHeaders: {peers: [10.0.0.0/8, '::1'], tenant: X-Tenant, caller: X-User}
          contract: stripe
          recovery: rerun
          retention: 7d
          maxBody: 1GiB
          spool: {folder: spool, space: 2GiB}
          mode: report
          routes:
            - {method: POST, path: '/a/{id}', keyRequired: false, comparedHeaders: [X-A], doesNothing: [409, 423]}
          """);

  @TempDir private Path folder;

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readsTheExampleOfTheGuide() {
    GatewaySettings settings = SettingsFile.read(EXAMPLE);

    assertThat(settings.upstreams()).extracting(UpstreamSettings::path).containsExactly("/");
    RouteSettings payments = settings.routes().get(0);
    assertThat(payments.method()).isEqualTo("POST");
    assertThat(payments.route().template()).isEqualTo("/payments");
    assertThat(payments.route().terms().orElseThrow().recovery()).isEqualTo(Recovery.ASK);
    assertThat(payments.route().terms().orElseThrow().lease()).isEqualTo(Duration.ofSeconds(60));
    assertThat(payments.probe()).isPresent();
  }

  @Test
  void hasSafeDefaults() throws IOException {
    GatewaySettings settings = read("upstream: {url: 'http://127.0.0.1:9000'}");

    assertThat(settings.listen().isLoopback()).isTrue();
    assertThat(ListenSettings.isLoopback(settings.admin().host())).isTrue();
    assertThat(settings.protection().contract()).isEqualTo(Contract.STRICT);
    assertThat(settings.protection().terms().recovery()).isEqualTo(Recovery.ASK);
    assertThat(settings.protection().unrouted()).isEqualTo(ProtectionSettings.Unrouted.PROTECT);
    assertThat(settings.protection().mode()).isEqualTo(ProtectionSettings.Mode.ENFORCE);
    assertThat(settings.cache()).isEqualTo(new CacheSettings(64 << 20, Duration.ofMinutes(1)));
  }

  @Test
  void readsHowMuchIsCached() throws IOException {
    String upstream = "upstream: {url: 'http://127.0.0.1:9000'}\n";

    assertThat(read(upstream + "cache: {maxSize: 1MiB, maxAge: 5s}").cache())
        .isEqualTo(new CacheSettings(1 << 20, Duration.ofSeconds(5)));
    assertThat(read(upstream + "cache: {maxSize: 0}").cache().maxBytes()).isZero();
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          lease: 3 parsecs                      | 1:8: lease must be a time such as 500ms, 30s, 5m, 24h or 7d, got 3 parsecs
          leese: 3s                             | 1:1: leese is not known here: the names are admin, authentication
          lease: 3s\\nlease: 4s                 | 2:1: lease is there twice: leave out one of them
          lease: {}                             | 1:8: lease must have one value
          lease: 1ns                            | 1:8: lease must be a time
          lease: 400d                           | lease must be
          listen: 8080                          | 1:9: here must be names with values
          listen: {port: 99999}                 | 1:16: port must be a number from 0 to 65535, got 99999
          listen: {host: 0.0.0.0}               | without authentication, every client would share one tenant
          contract: lax                         | 1:11: contract must be one of async, ietf, mobile, planning, strict, stripe, got lax
          routes: {}                            | 1:9: routes must be a list
          routes: [{path: /a}]                  | 1:10: method is missing
          routes: [{method: GET, path: /a}]     | 1:10: method must be one that contract strict covers, DELETE, PATCH, POST, PUT, got GET
          routes: [{method: POST, path: a}]     | 1:31: path must start with /, got a
          upstream: {url: ftp://x}              | 1:11: upstream must be an address such as http://127.0.0.1:9000, got ftp://x
          upstream: {url: "http://u:p@x"}       | upstream must be an address
          recovery: hope                        | 1:11: recovery must be one of ask, rerun, got hope
          maxBody: 1GB                          | 1:10: maxBody must be a number of bytes such as 65536, 64KiB, 1MiB or 1GiB, got 1GB
          maxBody: 65GiB                        | 1:1: maxBody must be at most 64GiB, got
          maxBody: 5GiB                         | 1:1: space of the spool must be at least maxBody, 5368709120 bytes, got 4294967296
          maxBody: 2MiB\\nspool: {space: 1MiB}  | 2:8: space of the spool must be at least maxBody
          listen: {maxHeader: 2GiB}             | 1:21: maxHeader must be less than 2GiB
          cache: {maxAge: 2d}                   | 1:8: age must be
          cache: {maxSize: -1}                  | 1:18: maxSize must be a number of bytes such as 65536, 64KiB, 1MiB or 1GiB, got -1
          cache: {entries: 9}                   | 1:9: entries is not known here: the names are maxAge, maxSize
          lease: [                              | this is not YAML
          lease: *x                             | not YAML
          authentication: {jwt: {issuer: x}}    | tokens need keys: name either jwks, an address, or sharedKeyFile, a file
          authentication: {apiKeys: [{sha256: 1, tenant: t, caller: c}]} | sha256 of a key must have 64 hexadecimal digits
          authentication: {jwt: {jwks: "https://i/k", algorithms: [none], issuer: i, audience: a}} | algorithm must be one such as RS256 or ES256, got none
          authentication: {jwt: {jwks: "https://i/k", algorithms: [HS256], issuer: i, audience: a}} | algorithm HS256 does not fit the keys
          authentication: {trustedHeaders: {peers: [everybody], tenant: T, caller: C}} | a peer must be an address or a range
          """)
  void saysWhatIsWrongWhereAndWhatToDo(String yaml, String error) {
    assertThatThrownBy(() -> read(yaml.replace("\\n", "\n")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(error)
        .hasMessageContaining("gateway.yaml");
  }

  @Test
  void neverFailsInAnotherWayNorWithoutAPlace() throws IOException {
    List<String> pieces =
        List.of(
            "\n- ",
            "\n  ",
            "\n",
            ": ",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "'",
            "&a ",
            "*a",
            "!!int ",
            "!x ",
            "#",
            ",",
            "|\n",
            ">\n",
            "<<: ",
            "? ",
            "%YAML 9.9\n---\n",
            "---\n",
            "...\n",
            "\t",
            "\u0000",
            "\ufeff",
            "\u00e9",
            "null",
            "~",
            "1e9",
            "-1",
            "99999999999",
            "64GiB",
            "7d",
            "[".repeat(300));
    long end = System.nanoTime() + Long.getLong("once.fuzz.seconds", 0) * 1_000_000_000;
    for (int seed = 0; seed < 1500 || System.nanoTime() < end; seed++) {
      Random random = new Random(seed);
      StringBuilder broken = new StringBuilder(EXAMPLES.get(random.nextInt(EXAMPLES.size())));
      for (int edits = random.nextInt(4); edits >= 0; edits--) {
        int at = random.nextInt(broken.length());
        switch (random.nextInt(5)) {
          case 0 -> broken.deleteCharAt(at);
          case 1 -> broken.setCharAt(at, (char) (' ' + random.nextInt(95)));
          case 2 -> broken.delete(at, Math.min(broken.length(), at + random.nextInt(40)));
          case 3 -> broken.insert(at, broken.substring(at, Math.min(broken.length(), at + 30)));
          default -> broken.insert(at, pieces.get(random.nextInt(pieces.size())));
        }
        broken.append(' ');
      }
      assertUsableOrRefused(seed, broken.toString());
    }
  }

  private void assertUsableOrRefused(int seed, String yaml) throws IOException {
    try {
      read(yaml);
    } catch (SettingsException e) {
      assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).*gateway\\.yaml:\\d+:\\d+: .*");
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed + " with\n" + yaml, e);
    }
  }

  @Test
  void refusesAFileThatIsNestedTooDeeplyOrNotText() throws IOException {
    assertThatThrownBy(() -> read("[".repeat(200_000)))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("gateway.yaml:");
    Path file = Files.write(folder.resolve("gateway.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> SettingsFile.read(file))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("gateway.yaml:1:1: the file cannot be read");
    assertThatThrownBy(() -> read(" "))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("gateway.yaml:1:1: the file is empty");
  }

  private GatewaySettings read(String yaml) throws IOException {
    Path file = folder.resolve("gateway.yaml");
    return SettingsFile.read(Files.writeString(file, yaml));
  }
}
