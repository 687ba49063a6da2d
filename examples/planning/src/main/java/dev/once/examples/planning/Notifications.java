package dev.once.examples.planning;

/** The provider of notifications: outside the database, and so outside its transactions. */
interface Notifications {
  /** Sends the notification, unless its key was sent before. */
  void send(Notification notification);
}
