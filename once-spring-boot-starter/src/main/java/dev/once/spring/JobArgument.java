package dev.once.spring;

import dev.once.jobs.JobException;
import dev.once.jobs.JobRun;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Takes the argument for a handler's parameter from a run. */
@FunctionalInterface
interface JobArgument {
  /** The run itself. */
  JobArgument RUN = run -> run;

  @Nullable Object of(JobRun run);

  /** Returns an argument that reads the payload as {@code type}. */
  static JobArgument payload(Type type, JsonMapper mapper) {
    if (type == byte[].class) {
      return JobRun::payload;
    }
    if (type == String.class) {
      return JobRun::text;
    }
    JavaType read = mapper.constructType(type);
    return run -> read(run, read, mapper);
  }

  private static @Nullable Object read(JobRun run, JavaType type, JsonMapper mapper) {
    try {
      return mapper.readValue(run.payload(), type);
    } catch (JacksonException e) {
      // No attempt can succeed, and Jackson's message may quote the payload.
      throw new JobException.GiveUp(
          "its payload is not %s: %s at %s"
              .formatted(
                  type.toCanonical(),
                  e.getClass().getSimpleName(),
                  e.getLocation() == null ? "its end" : e.getLocation().offsetDescription()));
    }
  }
}
