package dev.once.webhooks;

import dev.once.Fingerprint;
import dev.once.UnreadableOutcomeException;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.Jobs;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The table of endpoints. */
final class PostgresEndpoints implements WebhookEndpoints {
  private final TransactionRunner work;
  private final Jobs jobs;
  private final TargetRules rules;
  private final SealedTargets targets;

  PostgresEndpoints(TransactionRunner work, Jobs jobs, TargetRules rules) {
    this.work = work;
    this.jobs = jobs;
    this.rules = rules;
    this.targets = SealedTargets.of(jobs.sealing());
  }

  @Override
  public void put(WebhookEndpoint endpoint) {
    rules.requireAcceptable(endpoint.url());
    // A digest of the secrets reveals nothing: they are random, and too long to be guessed.
    String fingerprint = jobs.stored(Fingerprint.sha256(endpoint.target().toBytes())).toString();
    boolean hasRoom =
        work.runInTransaction(
            "putting an endpoint",
            it -> PutEndpointStatement.execute(it, endpoint, targets.seal(endpoint), fingerprint));
    if (!hasRoom) {
      throw new IllegalStateException(
          "tenant %s has %d endpoints already: remove one, or send to fewer"
              .formatted(endpoint.tenant(), WebhookEndpoint.MAX_PER_TENANT));
    }
  }

  @Override
  public Optional<EndpointView> find(String tenant, String id) {
    return row(tenant, id).map(this::view);
  }

  @Override
  public List<EndpointView> list(String tenant) {
    List<EndpointRow> rows =
        work.run("listing endpoints", it -> ListEndpointsStatement.execute(it, tenant));
    return rows.stream().map(this::view).toList();
  }

  @Override
  public boolean disable(String tenant, String id, String reason) {
    Limits.text("reason", reason, 1, MAX_REASON_CHARS);
    return work.run(
        "disabling an endpoint",
        it -> DisableStatement.execute(it, tenant, id, OptionalLong.empty(), reason));
  }

  @Override
  public boolean enable(String tenant, String id, String actor) {
    WebhookEndpoint.requireId(id);
    boolean isChanged =
        work.run("enabling an endpoint", it -> EnableStatement.execute(it, tenant, id));
    if (isChanged) {
      new WaitingMessages(jobs).release(tenant, id, actor);
    }
    return isChanged;
  }

  @Override
  public boolean remove(String tenant, String id) {
    return work.run("removing an endpoint", it -> RemoveEndpointStatement.execute(it, tenant, id));
  }

  Optional<EndpointRow> row(String tenant, String id) {
    return work.run("finding an endpoint", it -> FindEndpointStatement.execute(it, tenant, id));
  }

  /**
   * Returns where an endpoint is.
   *
   * @throws UnreadableOutcomeException if it is sealed with a key that this process does not have
   */
  Target target(EndpointRow row) {
    return targets.open(row);
  }

  /** Notes that an endpoint has accepted a message. */
  void succeeded(EndpointRow row) {
    if (row.failingSince().isPresent()) {
      work.run("noting a success", it -> SuccessStatement.execute(it, row));
    }
  }

  /** Notes a failure, and returns why it disabled the endpoint, if it did. */
  Optional<String> failed(EndpointRow row, String failure, Duration disableAfter) {
    String reason = "it has failed for %s or longer: %s".formatted(disableAfter, failure);
    boolean isDisabled =
        work.run(
            "noting a failure",
            it -> FailureStatement.execute(it, row, failure, disableAfter, reason));
    return isDisabled ? Optional.of(reason) : Optional.empty();
  }

  /** Disables an endpoint that wants no more messages. Returns whether this call did. */
  boolean gone(EndpointRow row, String reason) {
    OptionalLong version = OptionalLong.of(row.version());
    return work.run(
        "disabling an endpoint",
        it -> DisableStatement.execute(it, row.tenant(), row.id(), version, reason));
  }

  private EndpointView view(EndpointRow row) {
    return new EndpointView(
        row.tenant(),
        row.id(),
        url(row),
        row.types(),
        row.isOrdered(),
        row.failingSince(),
        row.lastFailure(),
        row.disabledAt(),
        row.disabledReason());
  }

  /** A list must not fail because one of the endpoints cannot be read. */
  private Optional<URI> url(EndpointRow row) {
    try {
      return Optional.of(targets.open(row).url());
    } catch (UnreadableOutcomeException e) {
      return Optional.empty();
    }
  }
}
