package dev.once.servlet;

/** What happens to writes that no route describes. */
public enum Unrouted {
  /** They pass unchanged: the application has no handler for them, or they need no guard. */
  PASS,
  /** They are refused. */
  REFUSE
}
