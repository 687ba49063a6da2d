package dev.once.inbox;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Binds the type of a GitHub event to its content. GitHub names the type in a header that it does
 * not sign; the members of the signed body show whether it can be that type. Types that are not
 * listed, and those that have no member of their own, are taken as the header names them.
 */
final class GitHubEvents {
  private static final Map<String, Form> FORMS =
      Map.ofEntries(
          Map.entry("check_run", Form.with("action", "check_run")),
          Map.entry("check_suite", Form.with("action", "check_suite")),
          Map.entry("commit_comment", Form.with("comment").without("issue", "pull_request")),
          Map.entry("create", Form.with("ref", "ref_type", "master_branch")),
          Map.entry("delete", Form.with("ref", "ref_type").without("master_branch")),
          Map.entry("deployment", Form.with("deployment").without("deployment_status")),
          Map.entry("deployment_status", Form.with("deployment", "deployment_status")),
          Map.entry("fork", Form.with("forkee")),
          Map.entry("issue_comment", Form.with("action", "issue", "comment")),
          Map.entry("issues", Form.with("action", "issue").without("comment")),
          Map.entry("ping", Form.with("zen", "hook_id")),
          Map.entry(
              "pull_request",
              Form.with("action", "number", "pull_request").without("review", "comment", "thread")),
          Map.entry("pull_request_review", Form.with("action", "pull_request", "review")),
          Map.entry("pull_request_review_comment", Form.with("action", "pull_request", "comment")),
          Map.entry("pull_request_review_thread", Form.with("action", "pull_request", "thread")),
          Map.entry("push", Form.with("ref", "before", "after")),
          Map.entry("release", Form.with("action", "release")),
          Map.entry("star", Form.with("action", "starred_at")),
          Map.entry("status", Form.with("sha", "state", "context")),
          Map.entry("workflow_job", Form.with("action", "workflow_job")),
          Map.entry("workflow_run", Form.with("action", "workflow_run")));

  private GitHubEvents() {}

  /** Returns the type if the body can be of it, and otherwise {@link Item#UNKNOWN}. */
  static String typeOf(String named, JsonNode body) {
    Form form = FORMS.get(named);
    return form == null || form.fits(body) ? named : Item.UNKNOWN;
  }

  /** The members that set the bodies of a type apart from others. */
  private record Form(List<String> present, List<String> absent) {
    static Form with(String... members) {
      return new Form(List.of(members), List.of());
    }

    Form without(String... members) {
      return new Form(present, List.of(members));
    }

    boolean fits(JsonNode body) {
      return present.stream().allMatch(body::has) && absent.stream().noneMatch(body::has);
    }
  }
}
