package dev.once.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Findings for programs: a list of {@code {work, against, ratio, aim, met}}. */
record FindingsFile(Path path) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  void write(List<Finding> findings) throws IOException {
    ArrayNode list = JSON.createArrayNode();
    for (Finding finding : findings) {
      list.addObject()
          .put("work", finding.work())
          .put("against", finding.against())
          .put("ratio", finding.ratio())
          .put("aim", finding.aim().bound())
          .put("met", finding.met());
    }
    JSON.writeValue(path.toFile(), list);
  }
}
