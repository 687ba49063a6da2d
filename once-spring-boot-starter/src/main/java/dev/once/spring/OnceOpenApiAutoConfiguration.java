package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.http.IfMatch;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.providers.RouterFunctionProvider;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Adds the contract to the OpenAPI description of an application that has springdoc. */
@AutoConfiguration(after = OnceWebAutoConfiguration.class)
@ConditionalOnClass(GlobalOpenApiCustomizer.class)
@ConditionalOnBean({MvcRoutes.class, HttpOnce.class})
class OnceOpenApiAutoConfiguration {
  OnceOpenApiAutoConfiguration() {
    // Otherwise the description has the parameter as a part of the query.
    SpringDocUtils.getConfig().addRequestWrapperToIgnore(IfMatch.class);
  }

  @Bean
  GlobalOpenApiCustomizer onceOpenApi(
      ObjectProvider<RequestMappingHandlerMapping> mappings,
      ObjectProvider<RouterFunctionProvider> functions,
      MvcRoutes routes,
      HttpOnce http) {
    return new OpenApiContract(new OpenApiHandlers(mappings, functions), routes, http);
  }
}
