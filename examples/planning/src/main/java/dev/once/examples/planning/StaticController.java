package dev.once.examples.planning;

import static org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The cheapest authenticated answer of this service: as large as a mission, and the same for every
 * caller. It is the baseline for replays in the benchmarks, so it exists in their profile only.
 */
@RestController
@Profile("bench")
class StaticController {
  private static final String ANSWER =
      """
      {"id":"00000000-0000-4000-8000-000000000001",\
      "project_id":"00000000-0000-4000-8000-000000000002",\
      "title":"Inspect the northern line","starts_at":"2030-01-01T08:00:00Z",\
      "ends_at":"2030-01-01T16:00:00Z","state":"planned","version":1}""";

  @GetMapping(path = "/v1/static", produces = APPLICATION_JSON_VALUE)
  String get() {
    return ANSWER;
  }
}
