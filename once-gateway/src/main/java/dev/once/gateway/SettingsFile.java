package dev.once.gateway;

import com.nimbusds.jose.JWSAlgorithm;
import dev.once.Recovery;
import dev.once.Terms;
import dev.once.gateway.ProtectionSettings.Mode;
import dev.once.gateway.ProtectionSettings.Unrouted;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads the settings of a gateway from a YAML file. An error names line and column, and says what
 * to do; nothing is guessed and nothing is ignored.
 */
final class SettingsFile {
  private static final int MAX_FILE_BYTES = 1 << 20;

  private SettingsFile() {}

  /**
   * Reads a file.
   *
   * @throws SettingsException if it cannot be read or used
   */
  static GatewaySettings read(Path path) {
    return YamlMap.read(YamlPlace.startOf(path), root(path), SettingsFile::settings);
  }

  private static Node root(Path path) {
    YamlPlace start = YamlPlace.startOf(path);
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(path.toString())
            .setCodePointLimit(MAX_FILE_BYTES)
            .setMaxAliasesForCollections(0)
            .build();
    try {
      return new Compose(settings)
          .composeString(Files.readString(path))
          .orElseThrow(() -> start.error("the file is empty"));
    } catch (IOException e) {
      throw start.error("the file cannot be read: " + e);
    } catch (MarkedYamlEngineException e) {
      YamlPlace place = e.getProblemMark().map(start::at).orElse(start);
      throw place.error("this is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw start.error("this is not YAML: " + e.getMessage());
    } catch (StackOverflowError e) { // The parser has no limit of its own.
      throw start.error("the file is nested too deeply");
    }
  }

  private static GatewaySettings settings(YamlMap map) {
    BodySettings bodies = bodies(map);
    ProtectionSettings protection = protection(map, bodies);
    List<UpstreamSettings> upstreams = new ArrayList<>();
    map.map("upstream", it -> upstream(it, "/")).ifPresent(upstreams::add);
    upstreams.addAll(map.maps("upstreams", it -> upstream(it, it.requireText("path"))));
    requireDifferent(upstreams);
    ListenSettings listen = map.map("listen", SettingsFile::listen).orElse(ListenSettings.DEFAULT);
    AdminSettings admin = map.map("admin", SettingsFile::admin).orElse(AdminSettings.DEFAULT);
    StoreSettings store = map.map("store", SettingsFile::store).orElse(StoreSettings.DEFAULT);
    CacheSettings cache = map.map("cache", SettingsFile::cache).orElse(CacheSettings.DEFAULT);
    AuthenticationSettings authentication =
        map.map("authentication", SettingsFile::authentication).orElse(AuthenticationSettings.NONE);
    List<RouteSettings> routes = map.maps("routes", it -> route(it, protection));
    List<WebhookSettings> webhooks = map.maps("webhooks", SettingsFile::webhook);
    Optional<Path> authorities = map.file("trustedAuthorities");
    Optional<RateLimitSettings> rateLimit = map.map("rateLimit", SettingsFile::rateLimit);
    map.requireKnown(); // A misspelt name explains what is missing without it.
    return new GatewaySettings(
        listen,
        admin,
        store,
        cache,
        upstreams,
        authorities,
        authentication,
        protection,
        bodies,
        routes,
        webhooks,
        rateLimit);
  }

  private static WebhookSettings webhook(YamlMap map) {
    WebhookSettings.Sender sender =
        map.choice("sender", YamlMap.words(WebhookSettings.Sender.values()))
            .orElseThrow(() -> map.missing("sender"));
    return new WebhookSettings(
        sender,
        map.text("name").orElse(sender.name().toLowerCase(Locale.ROOT)),
        map.requireText("tenant"),
        map.files("secretFiles").orElseThrow(() -> map.missing("secretFiles")),
        map.value("to", SettingsFile::template).orElseThrow(() -> map.missing("to")));
  }

  private static BodySettings bodies(YamlMap map) {
    long max =
        map.size("maxBody")
            .orElseGet(() -> (long) contract(map).orElse(Contract.STRICT).maxBodyBytes());
    BodySettings or = BodySettings.of(Math.min(max, BodySettings.MAX_BYTES_IN_MEMORY));
    return map.map("spool", it -> spool(it, max, or))
        .orElseGet(() -> new BodySettings(max, or.folder(), or.spaceBytes()));
  }

  private static BodySettings spool(YamlMap map, long max, BodySettings or) {
    return new BodySettings(
        max, map.file("folder").orElse(or.folder()), map.size("space").orElse(or.spaceBytes()));
  }

  private static void requireDifferent(List<UpstreamSettings> upstreams) {
    Set<String> paths = new HashSet<>();
    for (UpstreamSettings upstream : upstreams) {
      if (!paths.add(upstream.path())) {
        throw new SettingsException("two upstreams have the path " + upstream.path());
      }
    }
  }

  private static ListenSettings listen(YamlMap map) {
    ListenSettings or = ListenSettings.DEFAULT;
    return new ListenSettings(
        map.text("host").orElse(or.host()),
        map.number("port", or.port(), 0, 65_535),
        map.duration("idleTimeout").orElse(or.idleTimeout()),
        map.duration("requestTimeout").orElse(or.requestTimeout()),
        map.duration("bodyGrace").orElse(or.bodyGrace()),
        map.bytes("minBodyRate").orElse(or.minBodyRate()),
        map.bytes("maxHeader").orElse(or.maxHeaderBytes()),
        map.number("maxConnections", or.maxConnections(), 1, 1_000_000),
        map.duration("drainTime").orElse(or.drainTime()),
        map.map("tls", SettingsFile::tls));
  }

  private static TlsSettings tls(YamlMap map) {
    return new TlsSettings(
        map.file("keyStore").orElseThrow(() -> map.missing("keyStore")), map.file("passwordFile"));
  }

  private static AdminSettings admin(YamlMap map) {
    AdminSettings or = AdminSettings.DEFAULT;
    return new AdminSettings(
        map.text("host").orElse(or.host()), map.number("port", or.port(), 0, 65_535));
  }

  private static StoreSettings store(YamlMap map) {
    return new StoreSettings(map.text("url"), map.text("user"));
  }

  private static CacheSettings cache(YamlMap map) {
    return new CacheSettings(
        map.bytes("maxSize").orElse(CacheSettings.DEFAULT.maxBytes()),
        map.duration("maxAge").orElse(CacheSettings.DEFAULT.maxAge()));
  }

  private static UpstreamSettings upstream(YamlMap map, String path) {
    return new UpstreamSettings(
        path,
        map.value("url", UpstreamSettings::address).orElseThrow(() -> map.missing("url")),
        map.duration("timeout").orElse(UpstreamSettings.DEFAULT_TIMEOUT),
        map.map("breaker", SettingsFile::breaker));
  }

  private static BreakerSettings breaker(YamlMap map) {
    return new BreakerSettings(
        map.number("failureRate", 50, 1, 100),
        map.number("calls", 20, 1, 10_000),
        map.duration("openTime").orElse(Duration.ofSeconds(10)));
  }

  private static RateLimitSettings rateLimit(YamlMap map) {
    return new RateLimitSettings(
        map.number("requests", 100, 1, 1_000_000),
        map.duration("per").orElse(Duration.ofSeconds(1)));
  }

  private static AuthenticationSettings authentication(YamlMap map) {
    return new AuthenticationSettings(
        map.map("jwt", SettingsFile::jwt),
        map.maps("apiKeys", SettingsFile::apiKey),
        map.map("trustedHeaders", SettingsFile::trusted));
  }

  private static JwtSettings jwt(YamlMap map) {
    if (map.has("jwks") == map.has("sharedKeyFile")) {
      throw new SettingsException(
          "tokens need keys: name either jwks, an address, or sharedKeyFile, a file");
    }
    JwtSettings.Keys keys =
        map.uri("jwks")
            .<JwtSettings.Keys>map(JwtSettings.Keys.Published::new)
            .or(() -> map.file("sharedKeyFile").map(JwtSettings.Keys.Shared::new))
            .orElseThrow();
    List<String> algorithms =
        map.values("algorithms", SettingsFile::algorithm)
            .orElseThrow(() -> map.missing("algorithms"));
    return new JwtSettings(
        keys,
        new LinkedHashSet<>(algorithms),
        map.requireText("issuer"),
        map.requireText("audience"),
        map.text("tenantClaim").orElse("tenant"),
        map.text("callerClaim").orElse("sub"),
        map.duration("clockSkew").orElse(Duration.ofSeconds(30)));
  }

  private static String algorithm(String name) {
    JWSAlgorithm algorithm = JWSAlgorithm.parse(name);
    if (!JWSAlgorithm.Family.SIGNATURE.contains(algorithm)
        && !JWSAlgorithm.Family.HMAC_SHA.contains(algorithm)) {
      throw new SettingsException("algorithm must be one such as RS256 or ES256, got " + name);
    }
    return name;
  }

  private static ApiKey apiKey(YamlMap map) {
    return new ApiKey(
        map.requireText("sha256"),
        new Caller(map.requireText("tenant"), map.requireText("caller")));
  }

  private static TrustedHeaderSettings trusted(YamlMap map) {
    return new TrustedHeaderSettings(
        map.values("peers", AddressRange::parse).orElseThrow(() -> map.missing("peers")),
        map.requireText("tenant"),
        map.requireText("caller"));
  }

  private static ProtectionSettings protection(YamlMap map, BodySettings bodies) {
    Contract contract = contract(map).orElse(Contract.STRICT);
    int inMemory = bodies.maxBytesInMemory();
    Contract sized =
        inMemory == contract.maxBodyBytes()
            ? contract
            : contract.toBuilder().maxBodyBytes(inMemory).build();
    return new ProtectionSettings(
        sized,
        terms(map, ProtectionSettings.terms(sized)),
        map.choice("unrouted", YamlMap.words(Unrouted.values())).orElse(Unrouted.PROTECT),
        map.choice("mode", YamlMap.words(Mode.values())).orElse(Mode.ENFORCE));
  }

  private static Optional<Contract> contract(YamlMap map) {
    Map<String, Contract> contracts = new TreeMap<>();
    Contract.all().forEach(it -> contracts.put(it.name(), it));
    return map.choice("contract", contracts);
  }

  private static Terms terms(YamlMap map, Terms or) {
    Duration retention = map.duration("retention").orElse(or.retention());
    Duration ofFailures = map.duration("retentionOfFailures").orElse(or.failedRetention());
    return or.withRecovery(
            map.choice("recovery", YamlMap.words(Recovery.values())).orElse(or.recovery()))
        .withLease(map.duration("lease").orElse(or.lease()))
        .withMaxWait(map.duration("maxWait").orElse(or.maxWait()))
        .withMaxPayloadBytes(map.bytes("maxAnswer").orElse(or.maxPayloadBytes()))
        .withRetention(retention, ofFailures);
  }

  private static RouteSettings route(YamlMap map, ProtectionSettings defaults) {
    String method = map.requireText("method");
    Optional<Contract> own = contract(map);
    Contract contract =
        own.map(it -> it.toBuilder().maxBodyBytes(defaults.contract().maxBodyBytes()).build())
            .orElse(defaults.contract());
    Terms inherited =
        own.map(it -> it.terms().withRecovery(defaults.terms().recovery()))
            .orElse(defaults.terms());
    Route route =
        Route.of(
                map.value("path", SettingsFile::template).orElseThrow(() -> map.missing("path")),
                Route.Mode.LEASED)
            .withChosen(true)
            .withTerms(terms(map, inherited));
    if (map.has("keyRequired")) {
      route = route.withKeyRequired(map.isTrue("keyRequired", true));
    }
    Optional<List<String>> compared = map.values("comparedHeaders", it -> it);
    if (compared.isPresent()) {
      route = route.withComparedHeaders(new HashSet<>(compared.get()));
    }
    return new RouteSettings(
        method,
        route,
        contract,
        map.isTrue("guarded", true),
        map.statuses("doesNothing")
            .<Set<Integer>>map(HashSet::new)
            .orElse(RouteSettings.DOES_NOTHING),
        map.map("probe", SettingsFile::probe));
  }

  private static String template(String path) {
    if (!path.startsWith("/")) {
      throw new SettingsException("path must start with /, got " + path);
    }
    return path;
  }

  private static ProbeSettings probe(YamlMap map) {
    return new ProbeSettings(
        map.value("path", SettingsFile::template),
        new HashSet<>(map.statuses("happened").orElse(List.of(200))),
        new HashSet<>(map.statuses("didNotHappen").orElse(List.of())));
  }
}
