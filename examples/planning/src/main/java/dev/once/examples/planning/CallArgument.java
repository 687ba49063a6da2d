package dev.once.examples.planning;

import dev.once.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;

/** Passes the {@link Call} of the current request to controllers. */
final class CallArgument implements HandlerMethodArgumentResolver {
  /** Kept with the answer, so that a replay can name the audit event of the write it replays. */
  private static final String AUDIT_HEADER = "X-Audit-ID";

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
    var response = Objects.requireNonNull(webRequest.getNativeResponse(HttpServletResponse.class));
    // The filter chain admits no request without a token, so a missing caller is an error in its
    // rules.
    Caller caller = Principals.caller(request).orElseThrow();
    return new Call(
        caller.tenant(),
        caller.id(),
        request.getMethod()
            + " "
            + request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE),
        (Correlation) Objects.requireNonNull(request.getAttribute(CorrelationFilter.ATTRIBUTE)),
        id -> response.setHeader(AUDIT_HEADER, id.toString()));
  }
}
