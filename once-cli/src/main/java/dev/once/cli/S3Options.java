package dev.once.cli;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** The bucket of an event store on S3. */
final class S3Options {
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);
  private static final int NOT_FOUND = 404;
  private static final int FORBIDDEN = 403;

  @Option(names = "--s3-endpoint")
  private @Nullable URI endpoint;

  @Option(names = "--s3-bucket")
  private @Nullable String bucket;

  @Option(names = "--s3-region")
  private String region = "us-east-1";

  @Option(names = "--s3-prefix")
  private String prefix = "";

  String bucket() {
    return Variables.require("--s3-bucket", bucket);
  }

  String prefix() {
    return prefix;
  }

  /** Returns a client, after a look at the bucket. */
  S3Client open(Session session) {
    String name = bucket();
    S3ClientBuilder builder =
        S3Client.builder().region(Region.of(region)).credentialsProvider(credentials(session));
    URI given = endpoint;
    if (given != null) {
      builder.endpointOverride(given).forcePathStyle(true);
    }
    S3Client client = builder.build();
    try {
      client.headBucket(
          it ->
              it.bucket(name)
                  .overrideConfiguration(limits -> limits.apiCallTimeout(CHECK_TIMEOUT)));
      return client;
    } catch (SdkException e) {
      client.close();
      throw refused(name, e);
    }
  }

  private CommandException refused(String name, SdkException e) {
    String place = endpoint == null ? "S3" : "S3 at " + endpoint;
    int status = e instanceof AwsServiceException answer ? answer.statusCode() : 0;
    return switch (status) {
      case NOT_FOUND ->
          new CommandException("%s has no bucket %s: check --s3-bucket".formatted(place, name), e);
      case FORBIDDEN ->
          new CommandException(
              "%s refuses access to bucket %s: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                  .formatted(place, name),
              e);
      default ->
          new CommandException(
              "%s does not answer: %s (check --s3-endpoint)"
                  .formatted(place, CommandException.reason(e)),
              e);
    };
  }

  private static AwsCredentialsProvider credentials(Session session) {
    Optional<String> id = session.variable("AWS_ACCESS_KEY_ID");
    Optional<String> secret = session.variable("AWS_SECRET_ACCESS_KEY");
    if (id.isEmpty() || secret.isEmpty()) {
      return DefaultCredentialsProvider.builder().build();
    }
    AwsCredentials credentials =
        session
            .variable("AWS_SESSION_TOKEN")
            .<AwsCredentials>map(it -> AwsSessionCredentials.create(id.get(), secret.get(), it))
            .orElseGet(() -> AwsBasicCredentials.create(id.get(), secret.get()));
    return StaticCredentialsProvider.create(credentials);
  }
}
