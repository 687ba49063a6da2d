package dev.once.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;

/** Refuses reactive applications, whose requests would pass without a guard. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.http.enabled"},
    matchIfMissing = true)
class OnceReactiveAutoConfiguration {
  OnceReactiveAutoConfiguration() {
    throw new MisconfiguredException(
        "this is a reactive web application, and Once has no filter for it: its requests would not"
            + " be guarded.",
        "Use Spring MVC (on virtual threads, if there are many requests), or set"
            + " once.http.enabled=false to use the rest of Once without HTTP.");
  }
}
