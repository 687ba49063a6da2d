package dev.once.servlet;

/** Gives a group of tests the site that is served, and its port. */
interface FilterStage {
  Site site();

  int port();
}
