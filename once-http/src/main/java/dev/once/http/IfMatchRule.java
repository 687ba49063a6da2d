package dev.once.http;

/**
 * What a contract requires of If-Match when a request changes a resource.
 *
 * @param required whether a change without it is refused
 * @param wildcardAllowed whether {@code *}, any revision, is accepted
 */
public record IfMatchRule(boolean required, boolean wildcardAllowed) {}
