package dev.once.examples.planning;

/** Whoever delivers notifications: outside of our database, and so of our transactions. */
interface Notifications {
  /** Sends it, unless its key was sent before. */
  void send(Notification notification);
}
