package dev.once.spring;

import dev.once.http.HttpOperation;

/** How metrics, logs and traces call the operation of an API. */
final class EndpointName {
  private EndpointName() {}

  static String of(HttpOperation operation) {
    return operation.method() + " " + operation.route().template();
  }
}
