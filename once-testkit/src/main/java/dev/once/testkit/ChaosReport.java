package dev.once.testkit;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a {@link ChaosCampaign}.
 *
 * @param seed reproduces the choices of the campaign, but not their timing
 * @param counts what was counted, by its name
 * @param violations every broken promise, in words; the first hundred of them
 */
public record ChaosReport(long seed, Map<String, Long> counts, List<String> violations) {
  /** How often something was counted. */
  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** The whole report in one line. */
  @Override
  public String toString() {
    String all =
        counts.entrySet().stream()
            .map(it -> it.getKey() + "=" + it.getValue())
            .collect(Collectors.joining(" "));
    return "chaos seed=" + seed + " " + all + " violations=" + violations.size();
  }
}
