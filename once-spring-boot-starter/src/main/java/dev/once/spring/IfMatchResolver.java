package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.HttpBody;
import dev.once.http.HttpCall;
import dev.once.http.IfMatch;
import dev.once.servlet.CurrentExecution;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Passes the revision that a request claims to change to handler methods. */
record IfMatchResolver(Contract contract) implements HandlerMethodArgumentResolver {
  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType().equals(IfMatch.class);
  }

  @Override
  public IfMatch resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest request =
        Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
    return CurrentExecution.ifMatch(request)
        .orElseGet(() -> IfMatch.of(contract, withoutBody(request)));
  }

  /** Returns what adds this resolver to Spring MVC. */
  WebMvcConfigurer configurer() {
    return new WebMvcConfigurer() {
      @Override
      public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(IfMatchResolver.this);
      }
    };
  }

  /** Returns what can be read before the handler: the filter has not read the body. */
  private static HttpCall withoutBody(HttpServletRequest request) {
    return HttpCall.of(
        request.getMethod(),
        request.getRequestURI(),
        Objects.requireNonNullElse(request.getQueryString(), ""),
        Collections.list(request.getHeaders(HttpHeaders.IF_MATCH)),
        HttpBody.NONE);
  }
}
