package dev.once.servlet;

/** Where a family of tests finds what is served, and at which port. */
interface FilterStage {
  Site site();

  int port();
}
