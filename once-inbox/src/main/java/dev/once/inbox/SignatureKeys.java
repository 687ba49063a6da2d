package dev.once.inbox;

import java.util.List;

/** The keys that verify a provider's signatures: several while one replaces another. */
interface SignatureKeys {
  /** Returns whether one of these keys made one of the signatures {@code given} of the content. */
  boolean verify(List<String> given, SignatureEncoding encoding, byte[] content);
}
