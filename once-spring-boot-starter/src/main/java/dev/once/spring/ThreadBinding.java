package dev.once.spring;

/** What is bound to this thread, for the transaction that begins next, until it is closed. */
interface ThreadBinding {
  ThreadBinding NONE = () -> {};

  void close();
}
