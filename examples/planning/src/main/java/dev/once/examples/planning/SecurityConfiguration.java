package dev.once.examples.planning;

import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;

import dev.once.servlet.CallerResolver;
import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Decides who may call what, before anything of the request is looked at.
 *
 * <p>All of it is in the filter chain and none of it in the controllers: a request that is answered
 * from memory, without a controller, has passed the same rules.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
  @Bean
  SecurityFilterChain chain(HttpSecurity http, SecurityProblems problems) {
    return http.authorizeHttpRequests(SecurityConfiguration::rules)
        .oauth2ResourceServer(
            server ->
                server
                    .opaqueToken(Customizer.withDefaults())
                    .authenticationEntryPoint(problems)
                    .accessDeniedHandler(problems))
        .exceptionHandling(
            handling -> handling.authenticationEntryPoint(problems).accessDeniedHandler(problems))
        .sessionManagement(it -> it.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        // No cookie ever authenticates a request here, so no other site can make a browser send
        // one.
        .csrf(AbstractHttpConfigurer::disable)
        .build();
  }

  /** Whose key it is that comes with a request. */
  @Bean
  CallerResolver callers() {
    return Principals::caller;
  }

  private static void rules(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          requests) {
    String planner = Role.PLANNER.word();
    String viewer = Role.VIEWER.word();
    requests
        .dispatcherTypeMatchers(DispatcherType.ERROR)
        .permitAll()
        .requestMatchers("/actuator/health/**", "/v3/api-docs/**")
        .permitAll()
        .requestMatchers("/swagger-ui.html", "/swagger-ui/**")
        .permitAll()
        .requestMatchers("/actuator/**")
        .hasRole(Role.OPERATOR.word())
        .requestMatchers(GET, "/v1/**")
        .hasAnyRole(planner, viewer)
        .requestMatchers(HEAD, "/v1/**")
        .hasAnyRole(planner, viewer)
        .requestMatchers("/v1/**")
        .hasRole(planner)
        .anyRequest()
        .authenticated();
  }
}
