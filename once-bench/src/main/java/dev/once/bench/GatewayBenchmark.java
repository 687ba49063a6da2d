package dev.once.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.once.bench.SpeedTable.Contest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The gateway compared with Jetty's reverse proxy alone, both in front of the same small service.
 * Keys are executed by one gateway, which replays them from memory; the other one has to read them
 * from PostgreSQL.
 */
record GatewayBenchmark(
    Session session,
    BenchDatabase database,
    HttpService service,
    HttpService proxy,
    Gateway one,
    Gateway other,
    List<String> keys) {
  private static final double PASSING_AIM = 0.9;
  private static final double NEW_KEY_AIM = 0.35;
  private static final double CACHED_REPLAY_AIM = 1.5;

  /** Enough keys that concurrent callers rarely replay the same one. */
  private static final int KEYS = 1000;

  private static final int BODY_BYTES = 1024;
  private static final int WARM_UP_ROUNDS = 25;
  private static final String BODY = new String(Bodies.order(BODY_BYTES), ISO_8859_1);

  /** The path of requests whose keys are executed before the measurement. */
  private static final String KNOWN = "/orders";

  private static final String NEW = "/orders/new";

  private interface Forwarding {
    void send(HttpService through, String path) throws IOException;
  }

  /** A gateway in a process of its own, and the port of its metrics. */
  private record Gateway(HttpService clients, int adminPort) implements AutoCloseable {
    private static final Pattern HITS =
        Pattern.compile("once_cache_total\\{result=\"hit\".*} ([0-9.E]+)");

    static Gateway start(BenchDatabase database, HttpService service) throws IOException {
      int port = JavaProcess.freePort();
      int adminPort = JavaProcess.freePort();
      String url = String.valueOf(database.source().getURL());
      String user = database.source().getUser();
      Path file = Files.createTempFile("once-gateway", ".yaml");
      file.toFile().deleteOnExit();
      Files.writeString(
          file,
          // The defaults, but for a route without a guard, and answers that stay in memory.
          """
          listen: {port: %d, idleTimeout: 1h}
          admin: {port: %d}
          upstream: {url: 'http://127.0.0.1:%d'}
          store: {url: '%s', user: '%s'}
          cache: {maxAge: 1d}
          routes: [{method: POST, path: "/free/{id}", guarded: false}]
          """
              .formatted(port, adminPort, service.port(), url, user));
      List<String> command = new ArrayList<>(program());
      command.addAll(List.of("--config", file.toString()));
      JavaProcess process = JavaProcess.start(command, database.toEnvironment());
      return new Gateway(new HttpService(port, process), adminPort);
    }

    /** The jar that {@code ./once gateway} runs; tests have the gateway on their class path. */
    private static List<String> program() throws IOException {
      String root = System.getProperty("once.root");
      if (root == null) {
        return List.of("-cp", System.getProperty("java.class.path"), "dev.once.gateway.Main");
      }
      Path folder = Path.of(root, "once-gateway", "target");
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "once-gateway-*.jar")) {
        for (Path jar : jars) {
          return List.of("-jar", jar.toString());
        }
      }
      throw new IllegalStateException(
          "there is no once-gateway-*.jar in %s: build it with `mvn package -pl once-gateway -am`"
              .formatted(folder));
    }

    long cacheHits() throws IOException {
      URI metrics = URI.create("http://127.0.0.1:" + adminPort + "/metrics");
      try (var text = metrics.toURL().openStream()) {
        Matcher hits = HITS.matcher(new String(text.readAllBytes(), ISO_8859_1));
        Sample.requireFound("once_cache_total", hits.find());
        return (long) Double.parseDouble(hits.group(1));
      }
    }

    @Override
    public void close() throws IOException {
      clients.close();
    }
  }

  static Report run(Session session) throws Exception {
    session.say("gateway: starting a service, a proxy and two gateways");
    try (BenchDatabase database = session.databaseOfOnce("gateway");
        HttpService service = jetty(database);
        HttpService proxy = jetty(database, Integer.toString(service.port()));
        Gateway one = Gateway.start(database, service);
        Gateway other = Gateway.start(database, service)) {
      List<String> keys = Sample.newKeys(KEYS);
      return new GatewayBenchmark(session, database, service, proxy, one, other, keys).measure();
    }
  }

  private static HttpService jetty(BenchDatabase database, String... more) throws IOException {
    int port = JavaProcess.freePort();
    List<String> arguments = new ArrayList<>(List.of(Integer.toString(port)));
    arguments.addAll(List.of(more));
    return new HttpService(port, JavaProcess.start(JettyProcess.class, database, arguments));
  }

  private Report measure() throws Exception {
    for (HttpService it : List.of(service, proxy, one.clients, other.clients)) {
      it.await("/count");
    }
    for (String key : keys) {
      guarded(one, KNOWN, key, false);
    }
    List<Integer> callers = session.callersUpTo(Part.MAX_CALLERS);
    String title =
        "Requests to a small service, those with a body of %,d bytes".formatted(BODY_BYTES);
    SpeedTable table = SpeedTable.of(session, "gateway", title);
    table.compareWarm(WARM_UP_ROUNDS, callers, database::settle, this::contests);
    String shared = " Service, proxy, gateways and PostgreSQL share them, too. ";
    String setting = session.describe() + shared + session.describeWarmUp(WARM_UP_ROUNDS, callers);
    return new Report(setting, List.of(table.table()));
  }

  private List<Contest> contests(int callers) {
    Series reads = passing("Jetty's proxy", callers, proxy, "/orders/jetty", this::get);
    Series writes = passing("Jetty's proxy", callers, proxy, "/free/jetty", this::post);
    return List.of(
        new Contest(
            "GET",
            PASSING_AIM,
            passing("Once", callers, one.clients, "/orders/once", this::get),
            reads),
        new Contest(
            "POST without a guard",
            PASSING_AIM,
            passing("Once", callers, one.clients, "/free/once", this::post),
            writes),
        new Contest(
            "new key",
            NEW_KEY_AIM,
            guarded(callers, other, () -> guarded(other, NEW, Sample.newKey(), false))
                .counting(() -> count(NEW), 1),
            writes),
        new Contest(
            "replay from the near cache",
            CACHED_REPLAY_AIM,
            guarded(callers, one, () -> guarded(one, KNOWN, Sample.anyOf(keys), true))
                .counting(one::cacheHits, 1),
            writes),
        new Contest(
            "replay from PostgreSQL",
            SpeedTable.NO_AIM,
            guarded(callers, other, () -> guarded(other, KNOWN, Sample.anyOf(keys), true))
                .counting(() -> count(KNOWN), 0),
            writes));
  }

  private Series passing(
      String name, int callers, HttpService through, String path, Forwarding forwarding) {
    return series(name, callers, through, () -> forwarding.send(through, path))
        .counting(() -> count(path), 1);
  }

  private Series guarded(int callers, Gateway gateway, Session.Call call) {
    return series("Once", callers, gateway.clients, call);
  }

  private Series series(String name, int callers, HttpService called, Session.Call call) {
    List<CpuClock> clocks =
        List.of(CpuClock.jvm(), called.clock(), service.clock(), database.serverClock());
    return session.series(name, callers, clocks, call);
  }

  /** Returns how many requests to a path have reached the service. */
  private long count(String path) throws IOException {
    return Long.parseLong(service.get("/count" + path).body());
  }

  private void get(HttpService through, String path) throws IOException {
    through.get(path).require(200);
  }

  private void post(HttpService through, String path) throws IOException {
    post(through, path, "");
  }

  private void guarded(Gateway gateway, String path, String key, boolean isReplay)
      throws IOException {
    var reply = post(gateway.clients, path, "Idempotency-Key: " + key + "\r\n");
    if (reply.headers().containsKey("idempotency-replayed") != isReplay) {
      throw new IllegalStateException("the answer must say whether it is a replay, got " + reply);
    }
  }

  private HttpConnection.Reply post(HttpService through, String path, String header)
      throws IOException {
    String start = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + header;
    String type = "Content-Type: application/json\r\nContent-Length: " + BODY_BYTES;
    return through.exchange(start + type + "\r\n\r\n" + BODY).require(200);
  }
}
