package dev.once.examples.planning;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;

/** Gives controllers the {@link Call} of the current request. */
final class CallArgument implements HandlerMethodArgumentResolver {
  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == Call.class;
  }

  @Override
  public Call resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest webRequest,
      @Nullable WebDataBinderFactory binders) {
    var request = Objects.requireNonNull(webRequest.getNativeRequest(HttpServletRequest.class));
    OAuth2AuthenticatedPrincipal principal = principalOf(request);
    return new Call(
        Objects.requireNonNull(principal.getAttribute(ApiTokens.TENANT)),
        principal.getName(),
        request.getMethod()
            + " "
            + request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE),
        (Correlation) Objects.requireNonNull(request.getAttribute(CorrelationFilter.ATTRIBUTE)));
  }

  private static OAuth2AuthenticatedPrincipal principalOf(HttpServletRequest request) {
    if (request.getUserPrincipal() instanceof Authentication authentication
        && authentication.getPrincipal() instanceof OAuth2AuthenticatedPrincipal principal) {
      return principal;
    }
    // The filter chain lets nobody through without a token, so this is a hole in its rules.
    throw new IllegalStateException("no authenticated caller at " + request.getRequestURI());
  }
}
