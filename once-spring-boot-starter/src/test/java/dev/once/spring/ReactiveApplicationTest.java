package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.core.env.MapPropertySource;

class ReactiveApplicationTest {
  private final AnnotationConfigReactiveWebApplicationContext application =
      new AnnotationConfigReactiveWebApplicationContext();

  @Test
  void isRefusedInsteadOfLeftWithoutAGuard() {
    application.register(OnceReactiveAutoConfiguration.class);

    assertThatThrownBy(application::refresh)
        .rootCause()
        .isInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("this is a reactive web application");
  }

  @Test
  void mayUseTheRestOfOnce() {
    application
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("once.http.enabled", "false")));
    application.register(OnceReactiveAutoConfiguration.class);
    application.refresh();

    assertThat(application.isActive()).isTrue();
    application.close();
  }
}
