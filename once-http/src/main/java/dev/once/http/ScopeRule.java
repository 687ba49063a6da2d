package dev.once.http;

import dev.once.Fingerprint;

/** The scope in which a key is unique, inside its tenant. */
public enum ScopeRule {
  /** One scope per route: {@code api:/v1/projects/{id}/missions}. */
  ROUTE,
  /** One scope per method and route: {@code api:POST:/v1/projects/{id}/missions}. */
  METHOD_AND_ROUTE,
  /** One scope per route and caller: {@code api:/v1/projects/{id}/missions:actor:42}. */
  ROUTE_AND_CALLER,
  /**
   * One scope per method, route and caller: {@code api:POST:/v1/projects/{id}/missions:actor:42}.
   */
  METHOD_ROUTE_AND_CALLER,
  /** One scope per caller, over all routes: {@code api:actor:42}. */
  CALLER,
  /** One scope for the whole tenant: {@code api}. */
  TENANT;

  static final String ACTOR = ":actor:";

  private static final int MAX_ACTOR_CHARS = 128;

  /** Returns the caller's id, or its digest if the id is too long for a scope. */
  private static String actor(String id) {
    return id.length() <= MAX_ACTOR_CHARS ? id : Fingerprint.sha256(id).toString();
  }

  /** Returns whether two callers never share a scope. */
  boolean namesCaller() {
    return this == ROUTE_AND_CALLER || this == METHOD_ROUTE_AND_CALLER || this == CALLER;
  }

  /** Returns the scope of a request. */
  public String scope(String method, String route, Caller caller) {
    String actor = ACTOR + actor(caller.id());
    return switch (this) {
      case ROUTE -> "api:" + route;
      case METHOD_AND_ROUTE -> "api:" + method + ":" + route;
      case ROUTE_AND_CALLER -> "api:" + route + actor;
      case METHOD_ROUTE_AND_CALLER -> "api:" + method + ":" + route + actor;
      case CALLER -> "api" + actor;
      case TENANT -> "api";
    };
  }
}
