package dev.once.http;

import dev.once.Fingerprint;

/** In which family a key is unique, besides its tenant. */
public enum ScopeRule {
  /** One family per route: {@code api:POST:/v1/projects/{id}/missions}. */
  ROUTE,
  /** One family per route and caller: {@code api:POST:/v1/projects/{id}/missions:actor:42}. */
  ROUTE_AND_CALLER,
  /** One family per caller, over all routes: {@code api:actor:42}. */
  CALLER,
  /** One family for the whole tenant: {@code api}. */
  TENANT;

  static final String ACTOR = ":actor:";

  private static final int MAX_ACTOR_CHARS = 128;

  /** The caller in a scope, which has no room for a long one: then its digest. */
  private static String actor(String id) {
    return id.length() <= MAX_ACTOR_CHARS ? id : Fingerprint.sha256(id).toString();
  }

  /** Whether callers never share a family. */
  boolean namesCaller() {
    return this == ROUTE_AND_CALLER || this == CALLER;
  }

  /** The scope of a request. */
  public String scope(String method, String route, Caller caller) {
    String actor = ACTOR + actor(caller.id());
    return switch (this) {
      case ROUTE -> "api:" + method + ":" + route;
      case ROUTE_AND_CALLER -> "api:" + method + ":" + route + actor;
      case CALLER -> "api" + actor;
      case TENANT -> "api";
    };
  }
}
