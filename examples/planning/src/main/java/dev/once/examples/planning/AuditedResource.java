package dev.once.examples.planning;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The resource of a requested audit trail: {@code mission:<id>}, or the id alone. */
record AuditedResource(@Nullable String type, UUID id) {
  private static final Pattern FORM =
      Pattern.compile("(?:([a-z]{1,32}):)?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})");

  static AuditedResource parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw Refusal.invalid("resource", "must be an id, or a type and an id as in mission:<id>");
    }
    return new AuditedResource(form.group(1), UUID.fromString(form.group(2)));
  }
}
