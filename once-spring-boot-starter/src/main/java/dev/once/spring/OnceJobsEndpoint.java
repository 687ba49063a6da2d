package dev.once.spring;

import dev.once.StoreException;
import dev.once.jobs.DeadLetter;
import dev.once.jobs.DeadLetters;
import dev.once.jobs.LetterQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows dead letters to an operator, and retries, repeats or discards them. Like every endpoint of
 * Spring Boot but health, it must be exposed by the application, which then also protects it.
 */
@Endpoint(id = "oncejobs")
final class OnceJobsEndpoint {
  private final DeadLetters letters;
  private final OperatorAudit audit;

  OnceJobsEndpoint(DeadLetters letters, OperatorAudit audit) {
    this.letters = letters;
    this.audit = audit;
  }

  /**
   * Returns dead letters of a tenant.
   *
   * @param after the last id of the page before
   */
  @ReadOperation
  Map<String, Object> list(
      String tenant, @Nullable String queue, @Nullable Long after, @Nullable Integer limit) {
    try {
      LetterQuery query = LetterQuery.of(tenant).after(after == null ? 0 : after);
      query = queue == null ? query : query.inQueue(queue);
      List<DeadLetter> found = letters.list(limit == null ? query : query.withLimit(limit));
      return Map.of("dead", found.stream().map(LetterReport::line).toList());
    } catch (IllegalArgumentException e) {
      throw Operators.invalid(String.valueOf(e.getMessage()));
    }
  }

  /** Returns one dead letter; null, which is 404, if the tenant has no such one. */
  @ReadOperation
  @Nullable Map<String, Object> find(@Selector long id, String tenant) {
    return letters.find(tenant, id).map(LetterReport::of).orElse(null);
  }

  /**
   * Retries, repeats or discards dead letters.
   *
   * @param action {@code retry}: they return to their queue with all attempts; {@code repeat}: so
   *     do those whose effects may be forgotten; {@code discard}: they are removed, and their keys
   *     count as done
   * @param ids one or many, separated by commas
   * @param reason recorded in the audit log
   */
  @WriteOperation
  Map<String, Object> change(
      String action, String tenant, Long[] ids, String reason, SecurityContext security) {
    Operators.requireReason(reason);
    String operator = Operators.name(security);
    try {
      Set<Long> changed = perform(action, tenant, List.of(ids), operator);
      for (Long id : ids) {
        tell(operator, action, tenant, id, reason, Boolean.toString(changed.contains(id)));
      }
      return Map.of("changed", new TreeSet<>(changed));
    } catch (StoreException e) {
      for (Long id : ids) {
        tell(operator, action, tenant, id, reason, "unknown");
      }
      throw e;
    } catch (IllegalArgumentException e) {
      throw Operators.invalid(String.valueOf(e.getMessage()));
    }
  }

  private Set<Long> perform(String action, String tenant, List<Long> ids, String operator) {
    return switch (action) {
      case "retry" -> letters.retry(tenant, ids, operator);
      case "repeat" -> letters.repeat(tenant, ids, operator);
      case "discard" -> letters.discard(tenant, ids, operator);
      default -> throw Operators.invalid("action must be retry, repeat or discard, got " + action);
    };
  }

  private void tell(
      String operator, String action, String tenant, Long id, String reason, String changed) {
    Map<String, String> about = new LinkedHashMap<>();
    about.put("tenant", tenant);
    about.put("job_id", id.toString());
    audit.tell(operator, "job." + action, about, reason, changed);
  }
}
