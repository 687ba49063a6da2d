package dev.once.examples.planning;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Translates the framework's findings about an invalid request into refusals of the API. */
final class Violations {
  private Violations() {}

  static Refusal of(MethodArgumentNotValidException cause) {
    return Refusal.invalid(
        cause.getFieldErrors().stream()
            .map(it -> violation(it.getField(), it))
            .sorted(Comparator.comparing(Refusal.Violation::field))
            .toList());
  }

  /** Refuses query parameters that violate a constraint. */
  static Refusal of(HandlerMethodValidationException cause) {
    return Refusal.invalid(
        cause.getParameterValidationResults().stream()
            .map(
                it ->
                    violation(
                        it.getMethodParameter().getParameterName(),
                        it.getResolvableErrors().get(0)))
            .toList());
  }

  /** Refuses a body that is not JSON, or JSON with an invalid member. */
  static Refusal of(HttpMessageNotReadableException cause) {
    if (cause.getCause() instanceof DatabindException mismatch && !mismatch.getPath().isEmpty()) {
      return Refusal.invalid(fieldOf(mismatch), messageOf(mismatch));
    }
    return Refusal.malformedBody();
  }

  /** Refuses a path or query parameter of the wrong type. An invalid id matches no resource. */
  static Refusal of(TypeMismatchException cause) {
    if (cause.getRequiredType() == UUID.class) {
      return Refusal.of(ProblemCode.NOT_FOUND, "There is nothing with that id.");
    }
    String parameter = Objects.requireNonNullElse(cause.getPropertyName(), "parameter");
    return Refusal.invalid(parameter, "has a value of the wrong type");
  }

  private static Refusal.Violation violation(
      @Nullable String property, MessageSourceResolvable error) {
    return new Refusal.Violation(
        snakeCase(Objects.requireNonNullElse(property, "parameter")),
        Objects.requireNonNullElse(error.getDefaultMessage(), "is not allowed"));
  }

  private static String snakeCase(String property) {
    return property.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static String fieldOf(DatabindException mismatch) {
    List<JacksonException.Reference> path = mismatch.getPath();
    return path.stream()
        .map(it -> Objects.requireNonNullElse(it.getPropertyName(), "[" + it.getIndex() + "]"))
        .collect(Collectors.joining("."));
  }

  /** Returns a message of this API's own readers only; Jackson's messages contain class names. */
  private static String messageOf(DatabindException mismatch) {
    if (mismatch instanceof MemberException) {
      return mismatch.getOriginalMessage();
    }
    return mismatch instanceof UnrecognizedPropertyException
        ? "is not known here"
        : "has a value of the wrong type or form";
  }
}
