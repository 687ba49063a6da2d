package dev.once.client;

import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;

/**
 * An operation as it is stored.
 *
 * @param fingerprint of the request without its key
 */
@SuppressWarnings("ArrayRecordComponent") // Made and read in one place.
record EncodedOperation(Operation operation, String fingerprint, byte[] request) {
  /** Encodes operations; that takes longer than to insert them, and is done before. */
  record Encoder(OperationRows rows, Fingerprinter fingerprints) {
    EncodedOperation encode(Operation operation) {
      return new EncodedOperation(
          operation, fingerprint(operation), rows.request(operation.id(), operation));
    }

    String fingerprint(Operation operation) {
      FingerprintParts parts =
          fingerprints.start().text(operation.method()).text(operation.uri().toString());
      operation.headers().forEach((name, value) -> parts.text(name).text(value));
      return parts.bytes(operation.bytes()).finish().toString();
    }
  }

  String key() {
    return operation.key();
  }

  String id() {
    return operation.id();
  }
}
