package dev.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A process that claims keys of every contestant, reports each on its output, and performs their
 * effects when a file exists. It is paused or killed in between.
 */
final class Owner {
  static final String ANSWER = "owner";
  static final String OWNS = "owns ";

  private final Trial trial;
  private final Path go;

  private Owner(Trial trial, Path go) {
    this.trial = trial;
    this.go = go;
  }

  /** Starts a process that uses {@code keys} with each contestant and waits for {@code go}. */
  static JavaProcess start(ServerAddresses places, Path go, List<String> keys) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    arguments.add(System.getProperty("java.class.path"));
    arguments.add(Owner.class.getName());
    arguments.add(go.toString());
    arguments.addAll(keys);
    return JavaProcess.start(arguments, places.toEnvironment());
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Owner owner = new Owner(new Trial(ServerAddresses.ofEnvironment()), Path.of(arguments[0]));
    List<String> keys = Arrays.asList(arguments).subList(1, arguments.length);
    ExecutorService threads = Executors.newCachedThreadPool();
    for (Contestant contestant : owner.trial.owners()) {
      keys.forEach(key -> threads.execute(() -> owner.own(contestant, key)));
    }
  }

  private void own(Contestant contestant, String key) {
    String said;
    try {
      Reply reply = contestant.call(key(contestant, key), fence -> perform(contestant, key, fence));
      said = Answers.answer(reply).isPresent() ? "answered" : "unanswered";
    } catch (Exception e) {
      said = "refused " + e.getClass().getSimpleName();
    }
    System.out.println(line(contestant, key, said));
  }

  private String perform(Contestant contestant, String key, OptionalLong fence) throws Exception {
    System.out.println(OWNS + line(contestant, key, ""));
    while (!Files.exists(go)) {
      Thread.sleep(5);
    }
    trial.effects().write(key(contestant, key), ANSWER, fence);
    return ANSWER;
  }

  /** Returns a key per contestant, as contestants share a table of effects. */
  static String key(Contestant contestant, String key) {
    return key + "-" + Integer.toHexString(contestant.name().hashCode());
  }

  static String line(Contestant contestant, String key, String said) {
    return contestant.name() + " | " + key + " | " + said;
  }
}
