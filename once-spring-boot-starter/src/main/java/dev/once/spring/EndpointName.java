package dev.once.spring;

import dev.once.http.HttpOperation;

/** The name of an API operation in metrics, logs and traces. */
final class EndpointName {
  private EndpointName() {}

  static String of(HttpOperation operation) {
    return operation.method() + " " + operation.route().template();
  }
}
