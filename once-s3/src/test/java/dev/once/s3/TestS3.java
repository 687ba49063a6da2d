package dev.once.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Properties;
import java.util.stream.Stream;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 server with a bucket, for one test class. */
public final class TestS3 implements AutoCloseable {
  public static final String BUCKET = "events";

  public static final String SECRET = "test-secret-key";

  private final Path directory;
  private final S3Proxy server;
  private final S3Client client;

  public TestS3() {
    try {
      this.directory = Files.createTempDirectory("once-s3-");
      Properties properties = new Properties();
      properties.setProperty("jclouds.filesystem.basedir", directory.toString());
      BlobStore store = BlobStores.create("filesystem-nio2", properties);
      this.server =
          S3Proxy.builder()
              .blobStore(new AtomicBlobStore(store))
              .endpoint(URI.create("http://127.0.0.1:0"))
              .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "test", SECRET)
              .build();
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("S3 server did not start", e);
    }
    this.client = newClient(endpoint(), SECRET);
    client.createBucket(it -> it.bucket(BUCKET));
  }

  public S3Client client() {
    return client;
  }

  /** Adds many objects faster than puts do. */
  void addEmptyObjects(Stream<String> keys) {
    keys.map(it -> directory.resolve(BUCKET).resolve(it))
        .forEach(
            file -> {
              try {
                Files.createDirectories(file.getParent());
                Files.createFile(file);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getPort());
  }

  public static S3Client newClient(URI endpoint, String secret) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", secret)))
        .build();
  }

  @Override
  public void close() {
    client.close();
    try {
      server.stop();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException("S3 server did not stop", e);
    }
  }
}
