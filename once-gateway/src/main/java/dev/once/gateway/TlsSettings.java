package dev.once.gateway;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The certificate of the gateway.
 *
 * @param keyStore a PKCS#12 file with the certificate and its key
 * @param passwordFile the file whose first line is its password; it has none otherwise
 */
record TlsSettings(Path keyStore, Optional<Path> passwordFile) {}
