package dev.once.gateway;

import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses transfer codings that Jetty takes and other servers read differently: any but {@code
 * chunked} alone, which Jetty would pass on without undoing it, and any in HTTP/1.0 and HTTP/2,
 * which have none (RFC 9112, 6.1; RFC 9113, 8.2.2).
 */
final class StrictFraming extends Handler.Wrapper {
  StrictFraming(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (hasOneMeaning(request)) {
      return super.handle(request, response, callback);
    }
    if (request.getConnectionMetaData().getHttpVersion().getVersion()
        < HttpVersion.HTTP_2.getVersion()) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    }
    Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
    return true;
  }

  private static boolean hasOneMeaning(Request request) {
    HttpFields headers = request.getHeaders();
    if (!headers.contains(HttpHeader.TRANSFER_ENCODING)) {
      return true;
    }
    List<String> lines = headers.getValuesList(HttpHeader.TRANSFER_ENCODING);
    return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
        && lines.size() == 1
        && lines.get(0).equalsIgnoreCase("chunked");
  }
}
