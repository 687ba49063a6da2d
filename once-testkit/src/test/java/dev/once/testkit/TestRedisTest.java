package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TestRedisTest {
  @Test
  void keepsWhatItIsToldToKeepAcrossAKill() throws Exception {
    try (TestRedis redis = TestRedis.start("appendonly yes", "appendfsync always")) {
      assertThat(ask(redis, "SET colour blue")).isEqualTo("+OK\r");
      redis.kill();
      assertThatThrownBy(() -> ask(redis, "PING")).isInstanceOf(ConnectException.class);
      redis.restart();

      assertThat(ask(redis, "GETRANGE colour 0 0")).isEqualTo("$1\r\n");
    }
  }

  @Test
  void answersNothingWhilePaused() throws Exception {
    try (TestRedis redis = TestRedis.start()) {
      redis.pause();
      assertThatThrownBy(() -> ask(redis, "PING")).isInstanceOf(SocketTimeoutException.class);
      redis.resume();

      assertThat(ask(redis, "ECHO a")).isEqualTo("$1\r\n");
    }
  }

  private static String ask(TestRedis redis, String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
      socket.setSoTimeout(500);
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
    }
  }
}
