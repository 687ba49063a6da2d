package dev.once.spring;

import dev.once.Terms;
import dev.once.http.Contract;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.springframework.util.unit.DataSize;

/** The contract that the settings describe: one by name, with what they change in it. */
final class ContractSettings {
  private ContractSettings() {}

  static Contract contract(OnceProperties properties) {
    try {
      return changed(Contract.named(properties.contract()), properties);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          String.valueOf(e.getMessage()) + ".",
          "Change the setting under once that this is about, or define a bean of type Contract.");
    }
  }

  private static Contract changed(Contract base, OnceProperties properties) {
    OnceProperties.Http http = properties.http();
    Set<String> headers = new HashSet<>(base.keptHeaders());
    headers.addAll(http.keptHeaders());
    Contract.Builder contract =
        base.toBuilder().terms(terms(base.terms(), properties)).keptHeaders(headers);
    if (http.maxBody() != null) {
      contract.maxBodyBytes(bytes(http.maxBody()));
    }
    if (http.problems() != null) {
      contract.problems(URI.create(http.problems()));
    }
    return contract.build();
  }

  static Terms terms(Terms terms, OnceProperties properties) {
    if (properties.lease() != null) {
      terms = terms.withLease(properties.lease());
    }
    if (properties.maxWait() != null) {
      terms = terms.withMaxWait(properties.maxWait());
    }
    if (properties.recovery() != null) {
      terms = terms.withRecovery(properties.recovery());
    }
    if (properties.maxStored() != null) {
      terms = terms.withMaxPayloadBytes(bytes(properties.maxStored()));
    }
    return retention(terms, properties);
  }

  /** A contract that keeps errors as long as successes goes on to do so. */
  private static Terms retention(Terms terms, OnceProperties properties) {
    boolean same = terms.retention().equals(terms.failedRetention());
    Duration completed =
        properties.retention() == null ? terms.retention() : properties.retention();
    Duration failed = same ? completed : terms.failedRetention();
    return terms.withRetention(
        completed, properties.failedRetention() == null ? failed : properties.failedRetention());
  }

  private static int bytes(DataSize size) {
    return Math.toIntExact(Math.min(size.toBytes(), Integer.MAX_VALUE));
  }
}
