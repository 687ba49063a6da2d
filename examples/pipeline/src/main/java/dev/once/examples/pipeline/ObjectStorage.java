package dev.once.examples.pipeline;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/** S3-compatible storage in a folder. */
final class ObjectStorage implements Role.Running {
  private final S3Proxy server;

  ObjectStorage(Environment environment) throws Exception {
    Path folder = environment.dataFolder();
    Files.createDirectories(folder.resolve(environment.bucket())); // A bucket is a folder.
    Properties properties = new Properties();
    properties.setProperty("jclouds.filesystem.basedir", folder.toString());
    this.server =
        S3Proxy.builder()
            .blobStore(new AtomicBlobStore(BlobStores.create("filesystem-nio2", properties)))
            .endpoint(URI.create("http://127.0.0.1:" + environment.port()))
            .awsAuthentication(
                AuthenticationType.AWS_V2_OR_V4, environment.accessKey(), environment.secretKey())
            .build();
    server.start();
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("the storage did not stop", e);
    }
  }
}
