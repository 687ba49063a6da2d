package dev.once.bench;

import dev.once.testkit.RealPostgres;

/** A PostgreSQL that flushes every commit to the disk, for the length of one benchmark. */
final class BenchServer implements AutoCloseable {
  private final RealPostgres server =
      RealPostgres.builder()
          .durable()
          // Room for the hot part of a large table, and no checkpoint in the middle of a round: it
          // would hit whoever's turn it is.
          .setting("shared_buffers", "1GB")
          .setting("max_wal_size", "16GB")
          .setting("checkpoint_timeout", "30min")
          .start();

  private final int connections;

  /**
   * @param connections the size of each database's pool
   */
  BenchServer(int connections) {
    this.connections = connections;
  }

  BenchDatabase newDatabase(String hint) {
    return new BenchDatabase(server.newDatabase(hint), connections);
  }

  @Override
  public void close() {
    server.close();
  }
}
