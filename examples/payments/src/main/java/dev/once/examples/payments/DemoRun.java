package dev.once.examples.payments;

import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One run of the demo: a database, a provider, a shop that is killed repeatedly, and its customers.
 */
final class DemoRun implements AutoCloseable {
  private static final long TICK_MILLIS = 100;

  private final int orders;
  private final long seed;
  private final long start = System.nanoTime();
  private final Path log;
  private final EmbeddedPostgres postgres;
  private final PGSimpleDataSource database;
  private final Part provider;
  private final Part shop;
  private final URI providerUrl;
  private final URI shopUrl;
  private volatile boolean ending;

  DemoRun(int orders, long seed, Path folder) throws IOException {
    this.orders = orders;
    this.seed = seed;
    this.log = Files.createDirectories(folder).resolve("payments.log");
    System.out.printf("%d orders, seed %d; the shop logs to %s%n", orders, seed, log);
    this.postgres = EmbeddedPostgres.builder().start();
    this.database = postgres.newDatabase("shop");
    say("PostgreSQL is ready");
    int port = freePort();
    this.shopUrl = URI.create("http://127.0.0.1:" + port);
    Chaos chaos = new Chaos(seed, 1);
    String secret = UUID.randomUUID().toString();
    var simulated = new Simulator.Settings(chaos, shopUrl.resolve("/webhooks/whatsapp"), secret);
    this.provider = new Part(Main.SIMULATOR, simulated, log);
    this.providerUrl = URI.create("http://127.0.0.1:" + provider.start());
    say("the provider is ready");
    this.shop = new Part(Main.SHOP, settings(port, secret), log);
    shop.start();
    say("the shop is open");
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "demo-end"));
  }

  private void end() {
    ending = true;
    close();
  }

  /** Returns whether a signal is ending this JVM: later failures are expected then. */
  boolean isEnding() {
    return ending;
  }

  private Shop.Settings settings(int port, String secret) {
    return new Shop.Settings(
        String.valueOf(database.getURL()),
        postgres.user(),
        postgres.password(),
        port,
        providerUrl,
        secret,
        UUID.randomUUID().toString());
  }

  /** Sells everything and returns the counts. */
  Outcome run() throws Exception {
    Kills kills = new Kills(orders, seed);
    Progress progress = new Progress(database, providerUrl);
    try (Customers customers = new Customers(shopUrl, orders, seed)) {
      customers.start();
      long deadline = System.nanoTime() + limitNanos();
      int saidAt = 0;
      Progress.Counts now = progress.counts();
      while (now.ended() < orders && System.nanoTime() < deadline) {
        Thread.sleep(TICK_MILLIS);
        now = progress.counts();
        if (kills.isDue(now.booked())) {
          shop.kill();
          shop.start();
        }
        if (seconds() >= saidAt + 1) {
          saidAt = (int) seconds();
          say(now.text() + "  kills " + kills.count());
        }
      }
    }
    Truth.Account truth = progress.settledTruth();
    return new Outcome(orders, progress.counts(), truth, kills.count(), seconds());
  }

  private long limitNanos() {
    return (60 + orders / 5) * 1_000_000_000L;
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private void say(String line) {
    System.out.println(String.format(Locale.ROOT, "%5.1f s  %s", seconds(), line));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    shop.kill();
    provider.kill();
    postgres.close();
  }
}
