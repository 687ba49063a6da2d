package dev.once.spring;

import dev.once.http.Caller;
import dev.once.servlet.CallerResolver;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Replaces Spring Security: trusts a header, as only a test may, and sets the principal. */
@Configuration(proxyBeanMethods = false)
class Authentication {
  static final String HEADER = "Test-User";
  private static final int ORDER_OF_SPRING_SECURITY = -100;

  @Bean
  FilterRegistrationBean<Filter> authentication() {
    Filter filter =
        (request, response, chain) ->
            chain.doFilter(authenticated((HttpServletRequest) request), response);
    FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(ORDER_OF_SPRING_SECURITY);
    registration.setAsyncSupported(true);
    return registration;
  }

  // snippet: callers
  @Bean
  CallerResolver callers() {
    return request ->
        Optional.ofNullable(request.getUserPrincipal())
            .map(Principal::getName) // such as acme/alice
            .map(name -> name.split("/", 2))
            .map(parts -> new Caller(parts[0], parts[1]));
  }

  // end

  private static HttpServletRequest authenticated(HttpServletRequest request) {
    return new HttpServletRequestWrapper(request) {
      @Override
      public @Nullable Principal getUserPrincipal() {
        String user = getHeader(HEADER);
        return user == null ? null : () -> user;
      }
    };
  }
}
