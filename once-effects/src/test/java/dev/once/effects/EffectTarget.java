package dev.once.effects;

import dev.once.events.EventEffect;
import java.util.Optional;
import java.util.Random;

/** The system on which an effect works. */
interface EffectTarget extends AutoCloseable {
  /** Returns an effect of its own, as each process has one. */
  EventEffect newEffect();

  /** Returns the state of an order; empty if it is deleted or was never there. */
  Optional<String> state(String order) throws Exception;

  /** Has the next call wait, until the returned one is released. */
  HeldCall hold();

  /** Has requests, answers and connections fail at random, until {@link #heal}. */
  void fail(Random random);

  void heal() throws Exception;

  @Override
  void close();

  /** A call that the system has received or will receive, and does not answer. */
  interface HeldCall {
    void awaitArrival() throws InterruptedException;

    /** Has the call take effect, even if its caller does not wait for it any more. */
    void release() throws InterruptedException;
  }
}
