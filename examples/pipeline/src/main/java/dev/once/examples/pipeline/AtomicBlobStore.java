package dev.once.examples.pipeline;

import java.io.InputStream;
import java.util.stream.IntStream;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.S3Exceptions;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** Makes If-Match atomic: the server's own is a look followed by a put. */
final class AtomicBlobStore extends ForwardingBlobStore {
  private static final int STRIPES = 64;

  private final Object[] locks = IntStream.range(0, STRIPES).mapToObj(it -> new Object()).toArray();

  AtomicBlobStore(BlobStore delegate) {
    super(delegate);
  }

  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream body) {
    int hash = (request.bucket() + "/" + request.key()).hashCode();
    synchronized (locks[Math.floorMod(hash, STRIPES)]) {
      if (request.ifMatch() != null && !matches(request)) {
        throw S3Exceptions.fromStatusCode(412);
      }
      return super.putBlob(request, body);
    }
  }

  private boolean matches(PutObjectRequest request) {
    HeadObjectResponse head = blobMetadataIfPresent(request.bucket(), request.key());
    return head != null && unquoted(head.eTag()).equals(unquoted(request.ifMatch()));
  }

  private static String unquoted(String etag) {
    return etag.replace("\"", "");
  }
}
