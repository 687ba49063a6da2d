package dev.once.spring;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Refuses, at start, names under {@code once.http} that are no settings: a recovery that is
 * misspelt on a route of payments would otherwise be the contract's.
 */
record SettingNamesCheck(Environment environment) implements InitializingBean {
  @Override
  public void afterPropertiesSet() {
    Binder.get(environment)
        .bind(
            "once.http",
            Bindable.of(OnceProperties.Http.class),
            new NoUnboundElementsBindHandler(
                BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
  }
}
