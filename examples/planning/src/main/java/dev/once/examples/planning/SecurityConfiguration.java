package dev.once.examples.planning;

import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;

import dev.once.console.ConsoleUser;
import dev.once.console.ConsoleUsers;
import dev.once.console.PayloadView;
import dev.once.servlet.CallerResolver;
import jakarta.servlet.DispatcherType;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Authorizes requests before anything else of them is processed.
 *
 * <p>All rules are in the filter chain and none in the controllers: a replay, which reaches no
 * controller, has passed the same rules.
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
        // Cookies never authenticate a request here, so another site cannot forge one through a
        // browser.
        .csrf(AbstractHttpConfigurer::disable)
        .build();
  }

  /** Determines the caller that owns a request's key. */
  @Bean
  CallerResolver callers() {
    return Principals::caller;
  }

  /** An operator sees the records and jobs of its own tenant, without their data. */
  @Bean
  ConsoleUsers consoleUsers() {
    return request ->
        Principals.caller(request)
            .map(
                it ->
                    ConsoleUser.operator(it.id())
                        .withTenants(Set.of(it.tenant()))
                        .withPayloads(PayloadView.HIDDEN));
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
        // The console's page has no data; what it shows comes from its API.
        .requestMatchers("/once/api/**")
        .hasRole(Role.OPERATOR.word())
        .requestMatchers(GET, "/once/**")
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
