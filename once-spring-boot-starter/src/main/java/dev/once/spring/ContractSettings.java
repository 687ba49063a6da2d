package dev.once.spring;

import dev.once.Terms;
import dev.once.http.Contract;
import dev.once.json.Redactor;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Builds the contract that the settings describe: a named one, with their changes. */
final class ContractSettings {
  private ContractSettings() {}

  /**
   * Returns the contract of an application.
   *
   * @param contextPath the path of the application on its server, with which links to it begin
   */
  static Contract contract(OnceProperties properties, String contextPath) {
    return checked(() -> changed(Contract.named(properties.contract()), properties, contextPath));
  }

  /** Returns the terms of calls that are not requests, and so under no contract. */
  static Terms terms(OnceProperties properties) {
    return checked(() -> terms(Terms.DEFAULT, properties));
  }

  private static <T> T checked(Supplier<T> settings) {
    try {
      return settings.get();
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          String.valueOf(e.getMessage()) + ".",
          "Change the setting under once that this is about.");
    }
  }

  private static Contract changed(Contract base, OnceProperties properties, String contextPath) {
    OnceProperties.Http http = properties.http();
    Set<String> headers = new HashSet<>(base.keptHeaders());
    headers.addAll(http.keptHeaders());
    Contract.Builder contract =
        base.toBuilder()
            .terms(terms(base.terms(), properties))
            .keptHeaders(headers)
            .comparedHeaders(http.comparedHeaders())
            .operations(base.operations().map(path -> contextPath + path));
    if (properties.redact() != null) {
      contract.redaction(properties.redact() ? Optional.of(Redactor.standard()) : Optional.empty());
    }
    if (http.maxBody() != null) {
      contract.maxBodyBytes(bytes(http.maxBody()));
    }
    if (http.problems() != null) {
      contract.problems(URI.create(http.problems()));
    }
    return contract.build();
  }

  private static Terms terms(Terms terms, OnceProperties properties) {
    if (properties.lease() != null) {
      terms = terms.withLease(properties.lease());
    }
    if (properties.maxWait() != null) {
      terms = terms.withMaxWait(properties.maxWait());
    }
    if (properties.recovery() != null) {
      terms = terms.withRecovery(properties.recovery());
    }
    if (properties.maxRunTime() != null) {
      terms = terms.withMaxRunTime(properties.maxRunTime());
    }
    if (properties.maxCompletionTime() != null) {
      terms = terms.withMaxCompletionTime(properties.maxCompletionTime());
    }
    if (properties.maxStored() != null) {
      terms = terms.withMaxPayloadBytes(bytes(properties.maxStored()));
    }
    return retention(terms, properties.retention(), properties.failedRetention());
  }

  /**
   * Sets the retention. Unless the retention of errors is set too, a contract that keeps errors as
   * long as successes still does, and any other keeps them no longer than successes.
   */
  static Terms retention(
      Terms terms, @Nullable Duration retention, @Nullable Duration failedRetention) {
    boolean same = terms.retention().equals(terms.failedRetention());
    Duration completed = retention == null ? terms.retention() : retention;
    boolean outlasts = terms.failedRetention().compareTo(completed) > 0;
    Duration failed = same || outlasts ? completed : terms.failedRetention();
    return terms.withRetention(completed, failedRetention == null ? failed : failedRetention);
  }

  private static int bytes(DataSize size) {
    return (int) Math.max(-1, Math.min(size.toBytes(), Integer.MAX_VALUE));
  }
}
