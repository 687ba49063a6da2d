package dev.once.spring;

import dev.once.Effect;
import dev.once.Result;
import dev.once.servlet.Transactions;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps in Spring's transaction: the caller's, or else one of their own. What a step writes
 * through Spring and what it returns are committed together or not at all.
 */
public final class TransactionalSteps {
  private final Steps steps;
  private final Transactions transactions;

  TransactionalSteps(Steps steps, Transactions transactions) {
    this.steps = steps;
    this.transactions = transactions;
  }

  /** As {@link Steps#run}, in a transaction. */
  public <T extends @Nullable Object, X extends Exception> Result<T> run(
      RunId run, Step<T> step, String input, Effect<T, X> effect) throws X {
    return transactions.execute(once -> steps.through(once).run(run, step, input, effect));
  }
}
