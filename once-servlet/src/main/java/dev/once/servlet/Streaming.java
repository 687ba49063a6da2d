package dev.once.servlet;

import dev.once.Headers;
import dev.once.OnceException;
import dev.once.Payload;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;

/**
 * Streams an answer that exceeds its limit to the client. The answer is not kept, but the fact that
 * the operation happened is: it is stored before the client gets the first byte.
 */
record Streaming(CoveredRequest coveredRequest, ExchangeGrant grant, ResponseSender sender)
    implements CapturedResponse.Overflow {
  @Override
  public ServletOutputStream onOverflow(CapturedResponse answer, long size) throws IOException {
    int status = answer.getStatus();
    boolean keeps = coveredRequest.keeps(status);
    if (answer.isDetached() || !(keeps ? grant.end() : !grant.isOver())) {
      throw new IOException("the request ended before its handler answered");
    }
    if (keeps) {
      Payload gone = new Payload.Dropped(Math.max(size, answer.declaredLength()));
      complete(new HttpAnswer(status, Headers.NONE, gone));
    }
    return answer.throughStream();
  }

  private void complete(HttpAnswer answer) throws IOException {
    HttpOperation operation = coveredRequest.operation();
    try {
      grant.complete(answer);
    } catch (OnceException e) {
      sender.sendInstead(operation, operation.answer(e));
      throw new IOException("the outcome could not be recorded", e);
    }
    sender.tell(operation, operation.executed(answer));
  }
}
