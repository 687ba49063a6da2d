package dev.once.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files of the folder deploy. */
final class Yaml {
  static final Path DEPLOY = Path.of("../deploy");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Yaml() {}

  /** Returns a file as JSON; none has more than one document. */
  static JsonNode read(Path file) throws IOException {
    Load load = new Load(LoadSettings.builder().setLabel(file.toString()).build());
    return JSON.valueToTree(load.loadFromString(Files.readString(file)));
  }

  /** Returns the files of a folder by the kind of the object in each. */
  static Map<String, JsonNode> kinds(Path folder) throws IOException {
    Map<String, JsonNode> kinds = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".yaml")).toList()) {
        JsonNode object = read(file);
        kinds.put(object.path("kind").stringValue(), object);
      }
    }
    return kinds;
  }
}
