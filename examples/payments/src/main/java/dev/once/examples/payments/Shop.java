package dev.once.examples.payments;

import dev.once.Once;
import dev.once.Terms;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.json.Fingerprinter;
import dev.once.payments.Payments;
import dev.once.workflow.Workflows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.json.JsonMapper;

/** The shop: everything wired together, without a framework. */
final class Shop implements AutoCloseable {
  /** A short lease, so that the demo does not wait long for the keys of a killed shop. */
  private static final Terms TERMS = Terms.DEFAULT.withLease(Duration.ofSeconds(2));

  private static final int SLOTS = 24;
  private static final Duration DRAIN = Duration.ofSeconds(2);

  /** Signals of a webhook's transaction are found by a poll. */
  private static final Duration POLL = Duration.ofMillis(200);

  private final ShopDatabase database;
  private final Once once;
  private final Jobs jobs;
  private final Workflows workflows;
  private final Workers workers;
  private final ShopServer server;

  /**
   * The settings of a shop.
   *
   * @param port the port on which it listens
   * @param provider the provider's address
   * @param secret the key of WhatsApp's signatures and of the digests of phone numbers
   * @param token the secret segment in the path of the provider's callbacks
   */
  record Settings(
      String url,
      String user,
      String password,
      int port,
      URI provider,
      String secret,
      String token) {
    PGSimpleDataSource database() {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setURL(url);
      source.setUser(user);
      source.setPassword(password);
      return source;
    }
  }

  Shop(Settings settings) {
    database = new ShopDatabase(settings.database());
    once = Once.over(database.store());
    jobs = Jobs.over(database.dataSource());
    Fingerprinter secret =
        Fingerprinter.builder().key(settings.secret().getBytes(StandardCharsets.UTF_8)).build();
    Payments payments =
        Payments.over(once, secret).withTerms(Payments.TERMS.withLease(TERMS.lease()));
    ProviderClient provider = new ProviderClient(settings.provider());
    MomoClient momo = new MomoClient(provider, ShopServer.callbacks(settings));
    Receipts receipts = new Receipts(database);
    OrderWorkflow orders =
        new OrderWorkflow(
            database,
            new Charges(payments, momo),
            new Bookkeeping(database, payments),
            receipts,
            new WhatsAppClient(provider));
    workflows = orders.registered(Workflows.builder(jobs)).build();
    ShopInbox inbox = new ShopInbox(settings, database, jobs, momo, workflows);
    workers = inbox.process(workers(), once, Shop::quick).start();
    server = new ShopServer(settings, database, once, jobs, workflows, inbox.inbox());
    receipts.listen();
  }

  private Workers.Builder workers() {
    return workflows
        .addTo(Workers.over(jobs))
        .drain(DRAIN)
        .pollInterval(POLL)
        .queue(quick(Queue.named(OrderWorkflow.QUEUE)));
  }

  private static Queue quick(Queue queue) {
    return queue.withSlots(SLOTS).withLease(TERMS.lease());
  }

  /** Runs until the parent process closes this process's input, or kills it. */
  static void main(BufferedReader input) throws IOException {
    Settings settings = JsonMapper.shared().readValue(input.readLine(), Settings.class);
    try (Shop shop = new Shop(settings)) {
      shop.stayOpen(input);
    }
  }

  private void stayOpen(BufferedReader input) throws IOException {
    System.out.println("open at " + server.url());
    input.transferTo(Writer.nullWriter());
  }

  @Override
  public void close() {
    server.close();
    workers.close();
    workflows.close();
    jobs.close();
    once.close();
    database.close();
  }
}
