package dev.once.webhooks;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.internal.Listeners;
import dev.once.jdbc.internal.SqlStates;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.EnqueueResult;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobMismatchException;
import dev.once.jobs.JobTransactions;
import dev.once.jobs.Jobs;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Sends webhooks. A message exists if, and only if, the transaction that sends it commits; workers
 * post it afterwards, at least once and always under the same id, for as long as its retry policy
 * says. Thread-safe.
 */
public final class WebhookSender {
  /** The queue of all messages: for its settings, and for its dead letters. */
  public static final String QUEUE = "webhooks";

  /** For the lookup of names, which has no timeout, and the statements around a call. */
  private static final Duration AROUND_A_CALL = Duration.ofSeconds(30);

  private final Jobs jobs;
  private final TransactionRunner work;
  private final Optional<JobTransactions> transactions;
  private final PostgresEndpoints endpoints;
  private final RetryPolicy retries;
  private final Duration deadline;
  private final MessageHandler handler;

  private WebhookSender(Builder builder) {
    this.jobs = builder.jobs;
    this.work = new TransactionRunner(builder.dataSource);
    this.transactions = builder.transactions;
    this.endpoints = new PostgresEndpoints(work, jobs, builder.http.rules());
    this.retries = builder.retries;
    this.deadline = builder.http.timeout().plus(AROUND_A_CALL);
    this.handler =
        new MessageHandler(
            endpoints,
            builder.http.post(builder.clock),
            new Backoff(retries),
            builder.disableAfter,
            builder.maxWait,
            Listeners.<WebhookEvent>guarded(builder.listener::on)::accept,
            builder.clock);
  }

  /**
   * Returns a builder of a sender whose tables are in {@code dataSource}'s database, as those of
   * {@code jobs} are. Messages and endpoints are encrypted as the payloads of {@code jobs} are.
   */
  public static Builder builder(DataSource dataSource, Jobs jobs) {
    return new Builder(dataSource, jobs);
  }

  public WebhookEndpoints endpoints() {
    return endpoints;
  }

  /**
   * Sends {@code message} in the caller's transaction, if the framework has one, and otherwise in a
   * transaction of its own. Workers are notified after the commit.
   *
   * @return what became of it, by the endpoint's id; empty if no endpoint receives its type
   * @throws JobMismatchException if the endpoint was sent something else under this id
   * @throws IllegalStateException if it is for an endpoint that does not exist
   */
  public Map<String, EnqueueResult> send(WebhookMessage message) {
    Optional<Connection> current = transactions.flatMap(JobTransactions::current);
    if (current.isPresent()) {
      List<EndpointRow> receivers = receivers(current.get(), message);
      // In the same transaction; it also notifies workers after its commit.
      return receivers.isEmpty()
          ? Map.of()
          : byEndpoint(receivers, jobs.enqueueAll(jobsOf(receivers, message)));
    }
    Map<String, EnqueueResult> sent =
        work.runInTransaction("sending a webhook", it -> send(it, message));
    if (!sent.isEmpty()) {
      jobs.wake(QUEUE);
    }
    return sent;
  }

  /**
   * Sends {@code message} in the transaction that is open on {@code connection}. Workers find it at
   * their next poll; {@link Jobs#wake} after the commit makes them poll immediately.
   *
   * <p>Until the transaction ends, it holds a lock on each ordered endpoint that it sends to, in
   * the order of their ids: the order of messages is the order of commits.
   *
   * @return what became of it, by the endpoint's id; empty if no endpoint receives its type
   * @throws JobMismatchException if the endpoint was sent something else under this id
   * @throws IllegalStateException if it is for an endpoint that does not exist
   */
  public Map<String, EnqueueResult> send(Connection connection, WebhookMessage message) {
    List<EndpointRow> receivers = receivers(connection, message);
    return receivers.isEmpty()
        ? Map.of()
        : byEndpoint(receivers, jobs.enqueueAll(connection, jobsOf(receivers, message)));
  }

  /**
   * Adds the handler that posts messages, and returns {@code workers}.
   *
   * @param once records which messages were delivered
   */
  public Workers.Builder deliver(Workers.Builder workers, Once once) {
    return workers.handle(QUEUE, MessageKey.TYPE, handler(once));
  }

  Handler.Leased handler(Once once) {
    return Handler.leased(once, handler::run).withRetries(retries).withDeadline(deadline);
  }

  private static List<EndpointRow> receivers(Connection connection, WebhookMessage message) {
    try {
      Optional<String> endpoint = message.endpoint();
      if (endpoint.isEmpty()) {
        return ListEndpointsStatement.execute(connection, message.tenant()).stream()
            .filter(it -> it.types().isEmpty() || it.types().contains(message.type()))
            .toList();
      }
      return List.of(
          FindEndpointStatement.execute(connection, message.tenant(), endpoint.get())
              .orElseThrow(
                  () ->
                      new IllegalStateException(
                          "tenant %s has no endpoint %s: put it first"
                              .formatted(message.tenant(), endpoint.get()))));
    } catch (SQLException e) {
      throw new StoreException("reading endpoints failed: " + SqlStates.messageOf(e), e);
    }
  }

  private static List<Job> jobsOf(List<EndpointRow> receivers, WebhookMessage message) {
    return receivers.stream().map(it -> jobOf(it, message)).toList();
  }

  private static Job jobOf(EndpointRow receiver, WebhookMessage message) {
    MessageKey key = new MessageKey(message.tenant(), receiver.id(), message.id());
    Job job =
        Job.of(key.toJobKey())
            .withPayload(message.payload())
            .withCorrelation(message.correlation());
    return receiver.isOrdered() ? job.withAggregate(receiver.id()) : job;
  }

  private static Map<String, EnqueueResult> byEndpoint(
      List<EndpointRow> receivers, List<EnqueueResult> results) {
    Map<String, EnqueueResult> byEndpoint = new LinkedHashMap<>();
    for (int i = 0; i < receivers.size(); i++) {
      byEndpoint.put(receivers.get(i).id(), results.get(i));
    }
    return byEndpoint;
  }

  /** The settings of a {@link WebhookSender}. */
  public static final class Builder {
    public static final Duration MIN_DISABLE_AFTER = Duration.ofSeconds(1);
    public static final Duration MAX_DISABLE_AFTER = Duration.ofDays(400);
    public static final Duration MIN_WAIT = Duration.ofMinutes(1);
    public static final Duration MAX_WAIT = Duration.ofDays(400);

    private static final Duration DEFAULT_DISABLE_AFTER = Duration.ofDays(5);

    /** As long as jobs remember what they did. */
    private static final Duration DEFAULT_MAX_WAIT = Duration.ofDays(30);

    private final DataSource dataSource;
    private final Jobs jobs;
    private Optional<JobTransactions> transactions = Optional.empty();
    private WebhookHttp http = WebhookHttp.DEFAULT;
    private RetryPolicy retries = RetryPolicy.DEFAULT;
    private Duration disableAfter = DEFAULT_DISABLE_AFTER;
    private Duration maxWait = DEFAULT_MAX_WAIT;
    private WebhookListener listener = WebhookListener.NONE;
    private InstantSource clock = InstantSource.system();

    private Builder(DataSource dataSource, Jobs jobs) {
      this.dataSource = dataSource;
      this.jobs = jobs;
    }

    /** Uses the transactions of a framework: the same as {@code jobs}. */
    public Builder transactions(JobTransactions transactions) {
      this.transactions = Optional.of(transactions);
      return this;
    }

    /** Sets how endpoints are called. */
    public Builder http(WebhookHttp http) {
      this.http = http;
      return this;
    }

    /** Sets how often a message is sent; {@link RetryPolicy#DEFAULT}, two weeks, by default. */
    public Builder retries(RetryPolicy retries) {
      this.retries = retries;
      return this;
    }

    /** Disables endpoints that failed without a success for that time; 5 days by default. */
    public Builder disableAfter(Duration time) {
      Limits.range(
          "time until an endpoint is disabled", time, MIN_DISABLE_AFTER, MAX_DISABLE_AFTER);
      this.disableAfter = time;
      return this;
    }

    /**
     * Sets how old messages for a disabled endpoint become before they are dead letters; 30 days by
     * default.
     */
    public Builder maxWait(Duration time) {
      Limits.range("time for which a message waits", time, MIN_WAIT, MAX_WAIT);
      this.maxWait = time;
      return this;
    }

    public Builder listener(WebhookListener listener) {
      this.listener = listener;
      return this;
    }

    /** Sets the clock for the timestamps that are signed; the system clock by default. */
    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    /** Returns the sender; its tables must exist. */
    public WebhookSender build() {
      WebhooksSchema.check(dataSource);
      return new WebhookSender(this);
    }
  }
}
