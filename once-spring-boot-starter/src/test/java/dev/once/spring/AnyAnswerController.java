package dev.once.spring;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

/** Answers in many of the ways that handlers have. */
@RestController
@RequestMapping("/any")
class AnyAnswerController {
  record Pair(int a, int b) {}

  @DeleteMapping("/none")
  ResponseEntity<Void> none() {
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/redirect")
  ResponseEntity<Void> redirect() {
    return ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create("/any/1")).build();
  }

  @PostMapping("/header")
  ResponseEntity<String> header() {
    return ResponseEntity.accepted().header("X-Queue-Position", "7").eTag("r7").body("queued");
  }

  @PostMapping("/cookie")
  ResponseEntity<String> cookie() {
    String cookie = ResponseCookie.from("session", "s-1").httpOnly(true).build().toString();
    return ResponseEntity.ok().header(HttpHeaders.SET_COOKIE, cookie).body("welcome");
  }

  @PostMapping("/error")
  void error(HttpServletResponse response) throws IOException {
    response.sendError(418, "short and stout");
  }

  @PostMapping("/status")
  void status() {
    throw new ResponseStatusException(HttpStatus.GONE, "too late");
  }

  @PostMapping("/problem")
  ProblemDetail problem() {
    return ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, "no such size");
  }

  @PostMapping("/problem-free")
  Pair pair() {
    return new Pair(1, 2);
  }

  @PostMapping("/parameter")
  String parameter(@RequestParam int count) {
    return "counted " + count;
  }

  @PostMapping("/bytes")
  byte[] bytes() {
    return new byte[] {0, 1, 2, (byte) 0xff};
  }

  @PostMapping("/nothing")
  void nothing() {}

  @PutMapping("/echo")
  String put(@RequestBody String body) {
    return body;
  }

  @PatchMapping("/echo")
  String patch(@RequestBody String body) {
    return body;
  }

  @PostMapping("/text")
  String text(@RequestBody String text) {
    return text + text.length();
  }

  @PostMapping("/parts")
  String parts(@RequestPart MultipartFile file) throws IOException {
    return file.getOriginalFilename() + ": " + file.getBytes().length;
  }
}
