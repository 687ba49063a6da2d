package dev.once.cli;

import dev.once.client.Answer;
import dev.once.client.OfflineQueue;
import dev.once.client.Operation;
import dev.once.client.QueuedOperation;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** {@code ./once queue show}: prints an operation with its request and its answer. */
@Command(name = "show")
final class QueueShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final QueueOptions queues = new QueueOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "1", paramLabel = "<id>")
  private String id = "";

  QueueShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (OfflineQueue queue = queues.openPaused()) {
      QueuedOperation found = QueueOptions.require(queue, id);
      if (output.isJson()) {
        session.print(json(found).toString());
      } else {
        print(found);
      }
      return 0;
    }
  }

  private void print(QueuedOperation found) {
    new OperationPrinter(session, output).print(found);
    Operation operation = found.operation();
    operation
        .headers()
        .forEach((name, value) -> session.print("request " + name + ": " + Text.printable(value)));
    printText("request ", operation.body());
    found.answer().ifPresent(this::print);
  }

  private void print(Answer answer) {
    session.print("answer status: " + answer.status());
    answer
        .headers()
        .map()
        .forEach(
            (name, values) ->
                session.print("answer " + name + ": " + Text.printable(String.join(", ", values))));
    printText("answer ", answer.body());
  }

  private void printText(String prefix, byte[] body) {
    new String(body, StandardCharsets.UTF_8)
        .lines()
        .forEach(it -> session.print(prefix + Text.printable(it)));
  }

  private static JsonLine json(QueuedOperation found) {
    Operation operation = found.operation();
    JsonLine headers = new JsonLine();
    operation.headers().forEach(headers::put);
    JsonLine line = OperationPrinter.json(found).put("headers", headers.node());
    putBody(line, "body", operation.body());
    found.answer().ifPresent(it -> putBody(line, "answer", it.body()));
    return line;
  }

  private static void putBody(JsonLine line, String name, byte[] body) {
    if (body.length == 0) {
      return;
    }
    try {
      line.putJson(name, body);
    } catch (JacksonException e) {
      line.put(name, new String(body, StandardCharsets.UTF_8));
    }
  }
}
