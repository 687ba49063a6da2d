package dev.once.gateway;

import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.Refusal;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;
import dev.once.servlet.ExchangeListener;
import java.util.List;

/** Notifies several listeners. */
record ExchangeListeners(List<ExchangeListener> all) implements ExchangeListener {
  @Override
  public void answered(HttpOperation operation, Answered answered) {
    all.forEach(it -> it.answered(operation, answered));
  }

  @Override
  public void passed(String method, Route route, Refusal reason) {
    all.forEach(it -> it.passed(method, route, reason));
  }

  @Override
  public void refused(String method, Route route, Refusal reason) {
    all.forEach(it -> it.refused(method, route, reason));
  }

  @Override
  public void observed(HttpOperation operation, ReplayStatus status) {
    all.forEach(it -> it.observed(operation, status));
  }
}
