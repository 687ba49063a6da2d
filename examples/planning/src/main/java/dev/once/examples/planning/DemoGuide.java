package dev.once.examples.planning;

import java.util.List;
import java.util.UUID;

/**
 * Commands to try while the demo runs. Each start uses a new key: data is kept, and the key of an
 * earlier start would be answered with that start's project.
 */
record DemoGuide(DemoContract contract, String address, UUID id) {
  /** Returns three commands to paste: a write, a retry, and another write with the same key. */
  List<String> commands() {
    String bridge = curl("Bridge");
    return List.of(bridge, bridge, curl("Tunnel"));
  }

  private String curl(String name) {
    return "curl -i "
        + address
        + "/v1/projects -H 'Authorization: Bearer acme-planner'"
        + " -H 'Content-Type: application/json' -H 'Idempotency-Key: "
        + contract.header(id)
        + "' -d '{\"name\":\""
        + name
        + " "
        + DemoContract.shortened(id)
        + "\"}'";
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
        "",
        "Tokens, valid while the demo runs: " + DemoTokens.words(),
        "The whole API, to try in a browser: " + address + "/swagger-ui.html");
  }
}
