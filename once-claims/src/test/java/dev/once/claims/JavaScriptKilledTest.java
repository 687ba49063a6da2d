package dev.once.claims;

import dev.once.claims.WorkerProgram.Language;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class JavaScriptKilledTest extends TakeOverTests {
  JavaScriptKilledTest() {
    super(Language.JAVASCRIPT, Language.PYTHON);
  }
}
