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
 * A readable name or title: 1 to 200 characters, not all of them blank, without control characters
 * (PostgreSQL cannot store NUL) and without unpaired surrogates.
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
