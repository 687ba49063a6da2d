package dev.once.servlet;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/**
 * What the filter promises in any container, over real HTTP. The promises are grouped, with one
 * class per group; test names are the facts. A subclass starts the container.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnceFilterContract implements FilterStage {
  private final Site site = new Site();
  private ServletServer server;

  abstract ServletServer start(Site site) throws Exception;

  @BeforeAll
  void start() throws Exception {
    server = start(site);
  }

  @AfterAll
  void stop() throws Exception {
    server.stop();
  }

  @Override
  public Site site() {
    return site;
  }

  @Override
  public int port() {
    return server.port();
  }

  @Nested
  class Replays extends ReplayTests {
    Replays() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Duplicates extends DuplicateTests {
    Duplicates() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class PassingThrough extends PassingTests {
    PassingThrough() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Bodies extends BodyTests {
    Bodies() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class LargeBodies extends SpoolTests {
    LargeBodies() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Revisions extends RevisionTests {
    Revisions() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Forms extends FormTests {
    Forms() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Answers extends AnswerTests {
    Answers() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class LargeAnswers extends LargeAnswerTests {
    LargeAnswers() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Errors extends ErrorTests {
    Errors() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Asynchronous extends AsyncTests {
    Asynchronous() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class AsynchronousEnds extends AsyncEndTests {
    AsynchronousEnds() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class AsynchronousTimeouts extends AsyncTimeoutTests {
    AsynchronousTimeouts() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class Safety extends SafetyTests {
    Safety() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class AtALimit extends LimitTests {
    AtALimit() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class InATransaction extends TransactionTests {
    InATransaction() {
      super(OnceFilterContract.this);
    }
  }

  @Nested
  class RolledBack extends RollbackTests {
    RolledBack() {
      super(OnceFilterContract.this);
    }
  }
}
