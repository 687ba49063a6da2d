package dev.once.examples.planning;

import dev.once.http.ScopeRule;
import java.util.List;
import java.util.UUID;

/**
 * Commands to try while the demo runs. Each start uses a new key: data is kept, and the key of an
 * earlier start would be answered with that start's project.
 */
record DemoGuide(DemoContract contract, ScopeRule scope, String address, UUID id) {
  private static final String PATH = "/v1/projects";

  /**
   * Returns commands to paste: a write, a retry, and another write with the same key; then an
   * operator's look at the record, and at the metrics.
   */
  List<String> commands() {
    String bridge = create("Bridge");
    return List.of(bridge, bridge, create("Tunnel"), monitor(recordPath()), monitor("prometheus"));
  }

  private String create(String name) {
    return "curl -i "
        + address
        + PATH
        + " -H 'Authorization: Bearer acme-planner'"
        + " -H 'Content-Type: application/json' -H 'Idempotency-Key: "
        + contract.header(id)
        + "' -d '{\"name\":\""
        + name
        + " "
        + DemoContract.shortened(id)
        + "\"}'";
  }

  private String monitor(String endpoint) {
    return "curl -i '"
        + address
        + "/actuator/"
        + endpoint
        + "' -H 'Authorization: Bearer acme-operator'";
  }

  private String recordPath() {
    return "once?tenant="
        + DemoTokens.ACME_PLANNER.tenant()
        + "&scope="
        + scope.scope("POST", PATH, DemoTokens.ACME_PLANNER)
        + "&key="
        + contract.key(id);
  }

  String text() {
    List<String> commands = commands();
    return String.join(
        "\n",
        "planning is ready at " + address + " (contract " + contract.word() + ")",
        "",
        "1. Create a project:",
        commands.get(0),
        "2. Send the same again. It is answered from the record, with "
            + contract.replayMarker()
            + ":",
        commands.get(1),
        "3. Use the key for another project. It is refused with " + contract.refusalStatus() + ":",
        commands.get(2),
        "4. See the record as an operator does:",
        commands.get(3),
        "5. And the metrics, as Prometheus does:",
        commands.get(4),
        "",
        "Tokens, valid while the demo runs: " + DemoTokens.words(),
        "The whole API, to try in a browser: " + address + "/swagger-ui.html",
        "The console, where acme-operator is a token to sign in with: " + address + "/once/");
  }
}
