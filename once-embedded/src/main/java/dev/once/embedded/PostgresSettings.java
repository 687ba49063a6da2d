package dev.once.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server.
 *
 * @param data the directory to keep, or null for one that is deleted with the server
 * @param fresh whether to delete the content of the directory first
 * @param launch the way to run the server, or null for the first way that works
 */
record PostgresSettings(
    @Nullable Path data,
    boolean fresh,
    boolean durable,
    Map<String, String> extra,
    @Nullable PostgresLaunch launch) {
  /** Two hundred clients, some more that a crash test leaves behind, and the server's own. */
  private static final int MAX_CONNECTIONS = 300;

  PostgresSettings {
    extra = Map.copyOf(extra);
  }

  List<String> arguments(int port) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("listen_addresses", "127.0.0.1");
    all.put("unix_socket_directories", "");
    all.put("max_connections", Integer.toString(MAX_CONNECTIONS));
    all.put("fsync", durable ? "on" : "off");
    // On in both cases: without them, a kill of the processes alone could lose a commit or tear a
    // page. In tests they cost almost nothing when nothing is flushed to the disk.
    all.put("synchronous_commit", "on");
    all.put("full_page_writes", "on");
    all.putAll(extra);
    List<String> arguments = new ArrayList<>(List.of("-p", Integer.toString(port)));
    all.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    return arguments;
  }
}
