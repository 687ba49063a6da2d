package dev.once.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A response whose body was read as far as an error code can be, and can be read from its start.
 */
final class PeekedResponse implements ClientHttpResponse {
  private final ClientHttpResponse response;
  private final byte[] start;
  private final InputStream body;

  PeekedResponse(ClientHttpResponse response) throws IOException {
    this.response = response;
    this.start = response.getBody().readNBytes(Answer.MAX_BODY_BYTES);
    this.body = new SequenceInputStream(new ByteArrayInputStream(start), response.getBody());
  }

  byte[] start() {
    return start;
  }

  @Override
  public HttpStatusCode getStatusCode() throws IOException {
    return response.getStatusCode();
  }

  @Override
  public String getStatusText() throws IOException {
    return response.getStatusText();
  }

  @Override
  public HttpHeaders getHeaders() {
    return response.getHeaders();
  }

  @Override
  public InputStream getBody() {
    return body;
  }

  @Override
  public void close() {
    response.close();
  }
}
