package dev.once.image;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file of an image, which has its digest as its name.
 *
 * @param mediaType what is in it
 * @param digest such as {@code sha256:2c26…}
 * @param size in bytes
 */
record Blob(String mediaType, String digest, long size) {
  /** Returns how other files of the image refer to it. */
  ObjectNode descriptor() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("mediaType", mediaType)
        .put("digest", digest)
        .put("size", size);
  }

  /** Returns its place in the layout. */
  String path() {
    return "blobs/" + digest.replace(':', '/');
  }
}
