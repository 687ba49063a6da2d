package dev.once.workflow;

import dev.once.Fingerprint;
import dev.once.jobs.Job;
import dev.once.steps.RunId;
import dev.once.workflow.Values.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Creates runs, and the jobs that start them. */
record RunStarter(Engine engine) {
  /** A run to start. */
  record Start<I extends @Nullable Object>(
      RunId run, Workflow<I, ?> workflow, I input, Optional<StartStatement.Parent> parent) {}

  /**
   * Creates the run and adds its first job to {@code jobs}.
   *
   * @return whether there was none
   * @throws RunMismatchException if the name belongs to a run of another workflow or input
   */
  <I extends @Nullable Object> boolean execute(
      Connection connection, Start<I> start, List<Job> jobs) throws SQLException {
    Workflow<I, ?> workflow = start.workflow();
    Values plain = Values.PLAIN;
    Place place = Place.input(start.run().tenant(), workflow.name());
    // Of what is not sealed, because sealed bytes differ each time.
    byte[] unsealed = plain.pack(place, workflow.input(), start.input());
    Fingerprint fingerprint = engine.jobs().stored(Fingerprint.sha256(unsealed));
    byte[] input = engine.values().pack(place, workflow.input(), start.input());
    OptionalLong fence =
        StartStatement.execute(
            connection, start.run(), workflow, fingerprint.toString(), input, start.parent());
    if (fence.isPresent()) {
      String type = WakeJob.type(workflow.name(), workflow.version());
      jobs.add(WakeJob.start(engine.queue(), type, start.run(), fence.getAsLong()));
    }
    return fence.isPresent();
  }
}
