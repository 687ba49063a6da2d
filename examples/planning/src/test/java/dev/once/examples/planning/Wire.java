package dev.once.examples.planning;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends raw HTTP, for requests that a proper client cannot send. */
record Wire(Api api) {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int END_OF_STATUS = 12;

  /** Posts a body with raw header lines, one char for each byte. */
  Reply post(String path, String json, String... lines) throws IOException {
    try (Socket socket = send(path, json, lines)) {
      return parse(new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
    }
  }

  /** Posts a body; the caller reads the answer from the socket. */
  Socket send(String path, String json, String... lines) throws IOException {
    byte[] body = json.getBytes(UTF_8);
    List<String> head = new ArrayList<>();
    head.add("POST " + path + " HTTP/1.1");
    head.add("Host: " + api.url().getAuthority());
    head.add("Connection: close");
    head.add("Authorization: Bearer " + api.token());
    head.add("Content-Type: application/json");
    head.add("Content-Length: " + body.length);
    head.addAll(List.of(lines));
    Socket socket = new Socket(api.url().getHost(), api.url().getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write((String.join("\r\n", head) + "\r\n\r\n").getBytes(ISO_8859_1));
    request.write(body);
    // In one write: a server that rejects the head answers and closes without waiting for more.
    socket.getOutputStream().write(request.toByteArray());
    return socket;
  }

  private static Reply parse(String answer) {
    int end = answer.indexOf("\r\n\r\n");
    String[] head = answer.substring(0, end).split("\r\n", -1);
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String line : List.of(head).subList(1, head.length)) {
      String[] parts = line.split(": ", 2);
      headers.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(parts[parts.length - 1]);
    }
    return new Reply(
        Integer.parseInt(head[0].substring("HTTP/1.1 ".length(), END_OF_STATUS)),
        HttpHeaders.of(headers, (name, value) -> true),
        Reply.decode(answer.substring(end + "\r\n\r\n".length()).getBytes(ISO_8859_1)));
  }
}
