package dev.once.spring;

import dev.once.console.ConsoleUsers;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** There is a console only if the application says who may use it, or asks for one. */
final class ConsoleCondition extends AnyNestedCondition {
  ConsoleCondition() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnBean(ConsoleUsers.class)
  static final class HasUsers {}

  @ConditionalOnProperty("once.console.operator-token")
  static final class HasOperatorToken {}

  @ConditionalOnProperty("once.console.viewer-token")
  static final class HasViewerToken {}

  @ConditionalOnBooleanProperty("once.console.enabled")
  static final class IsAskedFor {}
}
