package dev.once.examples.planning;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A name or title that a person can read: 1 to 200 characters, not all of them blank, none of them
 * a control character (PostgreSQL has no place for NUL) or half of a surrogate pair.
 */
@Pattern(regexp = "(?=.*[^\\p{Z}\\p{C}])[^\\p{Cc}\\p{Cs}]{1,200}")
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@interface Label {
  String message() default
      "must have 1 to 200 characters, not only blanks, and no control characters";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};
}
