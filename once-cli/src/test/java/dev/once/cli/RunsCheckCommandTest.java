package dev.once.cli;

import static dev.once.cli.CliWorkflows.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.steps.RunId;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** New code against open runs, before a deploy. The code is compiled into a jar or a directory. */
@Timeout(120)
class RunsCheckCommandTest {
  private static final String HEAD =
      """
      package com.acme;
      import dev.once.Codec;
      import dev.once.workflow.*;
      public class Shipping implements WorkflowRegistrar {
        public Shipping() {}
        public void register(Workflows.Builder workflows) {
          workflows.register(Workflow.of("ship", 1, Codec.text(), Codec.text()), (context, order) -> {
      """;

  private static final String TAIL =
      """
          });
        }
      }
      """;

  private static final String SAME =
      """
      String packed = context.step(
          WorkflowStep.of("pack", Codec.text()), it -> { throw new Error("does something"); });
      context.awaitSignal(SignalType.of("go", Codec.text()));
      return packed;
      """;

  private final CliDatabase database = new CliDatabase();
  private final CliWorkflows application = new CliWorkflows(database);

  @TempDir Path folder;

  @AfterEach
  void close() {
    application.close();
  }

  @Test
  void findsNothingWrongWithTheSameCode() throws IOException {
    application.pack(run("order-1"), run("order-2"), new RunId("zeta", "order-1"));
    compile("com/acme/Shipping.java", HEAD + SAME + TAIL);

    CliRun all = check("com.acme.Shipping", classes().toString());
    CliRun one = check("com.acme.Shipping", jar().toString(), "--tenant", "zeta", "--json");

    assertThat(all.exitCode()).as(all.err()).isZero();
    assertThat(all.out()).isEqualTo("runs=3 problems=0\n");
    assertThat(one.exitCode()).as(one.err()).isZero();
    assertThat(one.out()).isEqualTo("{\"runs\":1,\"problems\":0}\n");
  }

  @Test
  void printsTheRunsThatChangedCodeCannotContinue() throws IOException {
    application.pack(run("order-1"), new RunId("zeta", "order-1"));
    compile("com/acme/Shipping.java", HEAD + SAME.replace("\"pack\"", "\"weigh\"") + TAIL);

    CliRun run = check("com.acme.Shipping", folder + "/lib/none.jar:" + classes());
    CliRun changed = check("com.acme.Shipping", classes().toString());
    CliRun json = check("com.acme.Shipping", classes().toString(), "--json");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(changed.exitCode()).isEqualTo(1);
    assertThat(changed.lines()).hasSize(3);
    assertThat(changed.lines().get(0))
        .startsWith("acme/order-1 workflow=ship version=1: the code calls step weigh at 1, where");
    assertThat(changed.lines().get(1)).startsWith("zeta/order-1 workflow=ship version=1: ");
    assertThat(changed.lines().get(2)).isEqualTo("runs=2 problems=2");
    assertThat(json.lines().get(0))
        .startsWith(
            "{\"tenant\":\"acme\",\"run\":\"order-1\",\"workflow\":\"ship\",\"version\":1,");
  }

  @Test
  void printsTheRunsOfAVersionThatIsNotRegistered() throws IOException {
    application.pack(run("order-1"));
    compile("com/acme/Shipping.java", (HEAD + SAME + TAIL).replace("\"ship\", 1", "\"ship\", 2"));
    Files.createDirectories(folder.resolve("lib"));
    Files.move(jar(), folder.resolve("lib/shipping.jar"));

    CliRun run = check("com.acme.Shipping", folder.resolve("lib") + "/*");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines().get(0)).endsWith("version=1: ship version 1 is not registered");
  }

  @Test
  void checksRunsThatCompensateToo() throws IOException {
    application.pack(run("order-1"));
    database.execute("UPDATE once_workflow_run SET state = 'compensating'");
    compile("com/acme/Shipping.java", (HEAD + SAME + TAIL).replace("\"ship\", 1", "\"ship\", 2"));

    CliRun run = check("com.acme.Shipping", classes().toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines().get(1)).isEqualTo("runs=1 problems=1");
  }

  @Test
  void saysThatALibraryIsMissing() throws IOException {
    application.pack(run("order-1"));
    compile(
        "com/acme/Weights.java",
        "package com.acme; class Weights { static String of(String it) { return it; } }");
    compile(
        "com/acme/Shipping.java",
        HEAD + "String weight = Weights.of(order); context.sleep(null); return weight;" + TAIL);
    Files.delete(classes().resolve("com/acme/Weights.class"));

    CliRun run = check("com.acme.Shipping", classes().toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("once: the code of the workflows cannot be loaded: ")
        .contains("com/acme/Weights")
        .endsWith("(are all its jars in --jars?)\n");
  }

  @Test
  void saysWhatIsWrongWithTheClass() throws IOException {
    compile("com/acme/Plain.java", "package com.acme; public class Plain {}");
    compile(
        "com/acme/Shipping.java",
        (HEAD + SAME + TAIL).replace("public Shipping() {}", "public Shipping(String it) {}"));

    assertThat(misuse("com.acme.Missing")).contains("com.acme.Missing is not in --jars");
    assertThat(misuse("com.acme.Plain")).contains("com.acme.Plain is no WorkflowRegistrar");
    assertThat(misuse("com.acme.Shipping"))
        .contains("a public constructor without parameters")
        .contains("\n\nusage: ./once runs check ");
  }

  private String misuse(String name) {
    CliRun run = check(name, classes().toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return run.err();
  }

  private CliRun check(String name, String jars, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("runs", "check", "--class", name, "--jars", jars));
    arguments.addAll(List.of(more));
    return CliRun.of(database.environment(), arguments.toArray(String[]::new));
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  private void compile(String file, String source) throws IOException {
    Path path = folder.resolve("source").resolve(file);
    Files.createDirectories(path.getParent());
    Files.createDirectories(classes());
    Files.writeString(path, source);
    String classPath = System.getProperty("java.class.path") + File.pathSeparator + classes();
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                classPath,
                "-d",
                classes().toString(),
                path.toString());
    assertThat(result).isZero();
  }

  /** Returns a jar of the classes. */
  private Path jar() throws IOException {
    Path jar = folder.resolve("app.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes())) {
      for (Path it : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes().relativize(it).toString()));
        Files.copy(it, entries);
      }
    }
    return jar;
  }
}
