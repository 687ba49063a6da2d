package dev.once.cli;

/** Where the event store is. */
enum SourceKind {
  POSTGRES,
  S3
}
