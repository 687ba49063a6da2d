package dev.once.examples.planning;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.once.http.IfMatch;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Describes the API to programs and people, at /v3/api-docs and /swagger-ui.html. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
  private static final String BEARER = "bearer";

  OpenApiConfiguration() {
    SpringDocUtils.getConfig().addRequestWrapperToIgnore(Call.class, IfMatch.class);
  }

  @Bean
  OpenAPI description() {
    SecurityScheme bearer = new SecurityScheme().type(SecurityScheme.Type.HTTP).scheme(BEARER);
    return new OpenAPI()
        .info(
            new Info()
                .title("Planning API")
                .version("v1")
                .description(
                    "Every write takes effect once, and every retry with its key gets the same"
                        + " answer. Authorize with a bearer token first."))
        // Relative, so that the description does not disclose the name of the machine.
        .addServersItem(new Server().url("/"))
        .components(new Components().addSecuritySchemes(BEARER, bearer))
        .addSecurityItem(new SecurityRequirement().addList(BEARER));
  }

  /**
   * Names members as the API's JSON does: the description is made with another version of Jackson.
   */
  @Bean
  ModelResolver memberNames() {
    return new ModelResolver(
        Json.mapper().copy().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE));
  }
}
