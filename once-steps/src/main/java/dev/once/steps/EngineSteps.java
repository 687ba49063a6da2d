package dev.once.steps;

import dev.once.Effect;
import dev.once.EffectRunner;
import dev.once.Fingerprint;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes requests of steps, and has an engine run them. */
record EngineSteps(EffectRunner runner, Fingerprinter inputs, Terms terms) implements StepRunner {
  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> run(
      RunId run, Step<T> step, String input, Effect<T, X> effect) throws X {
    return runner.run(request(run, step, input), effect);
  }

  <T extends @Nullable Object> Request<T> request(RunId run, Step<T> step, String input) {
    Fingerprint fingerprint = inputs.json(input.getBytes(StandardCharsets.UTF_8));
    return step.request(run, fingerprint, terms);
  }
}
