package dev.once.examples.planning;

import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Views")
class SearchController {
  private final SearchRepository search;

  SearchController(SearchRepository search) {
    this.search = search;
  }

  @GetMapping("/v1/search")
  Page<SearchHit> find(
      Call call,
      @Label @RequestParam String q,
      @RequestParam(defaultValue = Paging.DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable String cursor) {
    return search.find(call.tenant(), q, Paging.of(limit, cursor));
  }
}
