package dev.once.claims;

import dev.once.claims.WorkerProgram.Language;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class PythonKilledTest extends TakeOverTests {
  PythonKilledTest() {
    super(Language.PYTHON, Language.JAVASCRIPT);
  }
}
