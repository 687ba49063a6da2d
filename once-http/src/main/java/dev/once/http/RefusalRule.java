package dev.once.http;

/**
 * How a contract words one refusal.
 *
 * @param status the status code
 * @param code the stable, machine-readable name
 * @param title a sentence that does not vary
 */
public record RefusalRule(int status, String code, String title) {}
