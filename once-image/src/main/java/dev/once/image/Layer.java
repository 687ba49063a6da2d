package dev.once.image;

/**
 * A layer of an image.
 *
 * @param blob its files, compressed
 * @param diffId the digest of its files before they were compressed
 * @param content what is in it, for people
 */
record Layer(Blob blob, String diffId, String content) {}
