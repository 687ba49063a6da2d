package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.IfMatch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

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
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    String[] lines = request.getHeaderValues(HttpHeaders.IF_MATCH);
    return IfMatch.of(contract, lines == null ? List.of() : List.of(lines));
  }
}
