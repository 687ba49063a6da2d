package dev.once.spring;

import dev.once.http.HttpOperation;
import dev.once.http.Route;

/** The name of an API operation in metrics, logs and traces. */
final class EndpointName {
  private EndpointName() {}

  static String of(HttpOperation operation) {
    return of(operation.method(), operation.route());
  }

  static String of(String method, Route route) {
    return method + " " + route.template();
  }
}
