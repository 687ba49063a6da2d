package dev.once.http;

/**
 * What a contract expects of If-Match on changes of a resource.
 *
 * @param required whether a change without it is refused
 * @param wildcardAllowed whether {@code *}, any revision, is accepted
 */
public record IfMatchRule(boolean required, boolean wildcardAllowed) {}
