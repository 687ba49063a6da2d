package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tenant and caller come from what a client proves, and from nothing else. */
@Timeout(60)
class AuthenticationTest {
  private static final String BODY = "{}";
  private static RSAKey key;
  private static RSAKey stranger;
  private static ScriptedService issuer;
  private static ScriptedService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    key = new RSAKeyGenerator(2048).keyID("k1").generate();
    stranger = new RSAKeyGenerator(2048).keyID("k1").generate();
    String keys = new JWKSet(key.toPublicJWK()).toString();
    issuer = new ScriptedService((request, to) -> to.ok(keys));
    service = new ScriptedService(AuthenticationTest::echo);
    gateway =
        RunningGateway.of(
            """
            upstream: {url: '%s'}
            authentication:
              jwt: {jwks: '%s/keys', algorithms: [RS256], issuer: us, audience: orders, tenantClaim: org}
              apiKeys:
                - {sha256: %s, tenant: acme, caller: batch}
              trustedHeaders: {peers: [10.0.0.0/8], tenant: X-Tenant, caller: X-User}
            """
                .formatted(service.url(), issuer.url(), sha256("secret-key")));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
    issuer.close();
  }

  /** Answers with the identity that the service was told. */
  private static void echo(String request, ScriptedService.Connection to) throws Exception {
    StringBuilder told = new StringBuilder();
    for (String line : request.split("\r\n", -1)) {
      if (line.matches("(?i)(once-|x-api|x-tenant|x-user|authorization).*")) {
        told.append(line.replaceAll("Bearer.*", "Bearer")).append('\n');
      }
    }
    to.ok(told.toString());
  }

  @Test
  void takesTenantAndCallerFromAToken() throws Exception {
    HttpResponse<String> answer = withToken("a-1", token(claims("acme", "ann"), key));

    assertThat(answer.body())
        .contains("Once-Tenant: acme")
        .contains("Once-Caller: ann")
        .contains("Authorization: Bearer");
  }

  @Test
  void keepsTheKeysOfTenantsApart() throws Exception {
    withToken("a-2", token(claims("acme", "ann"), key));
    HttpResponse<String> other = withToken("a-2", token(claims("globex", "bob"), key));
    HttpResponse<String> same = withToken("a-2", token(claims("acme", "ann"), key));

    assertThat(other.body()).contains("Once-Tenant: globex");
    assertThat(other.headers().firstValue("Idempotency-Replayed")).isEmpty();
    assertThat(same.headers().firstValue("Idempotency-Replayed")).hasValue("true");
  }

  @Test
  void refusesATokenOfAnotherKey() throws Exception {
    assertRefused(withToken("a-3", token(claims("acme", "ann"), stranger)));
  }

  @Test
  void refusesAnExpiredToken() throws Exception {
    Instant past = Instant.now().minusSeconds(600);
    JWTClaimsSet expired =
        new JWTClaimsSet.Builder(claims("acme", "ann")).expirationTime(Date.from(past)).build();

    assertRefused(withToken("a-4", token(expired, key)));
  }

  @Test
  void refusesATokenThatIsNotValidYet() throws Exception {
    Instant soon = Instant.now().plusSeconds(600);
    JWTClaimsSet early =
        new JWTClaimsSet.Builder(claims("acme", "ann")).notBeforeTime(Date.from(soon)).build();

    assertRefused(withToken("a-5", token(early, key)));
  }

  @Test
  void refusesATokenForAnotherAudienceIssuerOrWithoutATenant() throws Exception {
    JWTClaimsSet good = claims("acme", "ann");

    assertRefused(
        withToken("a-6", token(new JWTClaimsSet.Builder(good).audience("mail").build(), key)));
    assertRefused(
        withToken("a-6", token(new JWTClaimsSet.Builder(good).issuer("them").build(), key)));
    assertRefused(
        withToken("a-6", token(new JWTClaimsSet.Builder(good).claim("org", null).build(), key)));
  }

  @Test
  void refusesATokenWithoutASignatureAndOneSignedByThePublicKey() throws Exception {
    assertRefused(withToken("a-7", new PlainJWT(claims("acme", "ann")).serialize()));
    SignedJWT confused = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims("acme", "ann"));
    confused.sign(new MACSigner(key.toPublicJWK().toRSAPublicKey().getEncoded()));
    assertRefused(withToken("a-7", confused.serialize()));
  }

  @Test
  void knowsAnApiKeyAndKeepsItToItself() throws Exception {
    HttpResponse<String> answer = gateway.post("/orders", "a-8", BODY, "X-API-Key", "secret-key");

    assertThat(answer.body())
        .contains("Once-Tenant: acme")
        .contains("Once-Caller: batch")
        .doesNotContain("secret-key");
    assertRefused(gateway.post("/orders", "a-8", BODY, "X-API-Key", "secret-kez"));
  }

  @Test
  void believesNoHeaderOfAStranger() throws Exception {
    assertRefused(gateway.post("/orders", "a-9", BODY, "X-Tenant", "acme", "X-User", "root"));
    HttpResponse<String> read =
        gateway.get("/orders", "X-Tenant", "acme", "X-User", "root", "Once-Tenant", "acme");
    assertThat(read.body()).isEmpty();
  }

  @Test
  void believesHeadersOfAListedPeer() throws Exception {
    try (RunningGateway trusting =
        RunningGateway.of(
            """
            upstream: {url: '%s'}
            authentication:
              trustedHeaders: {peers: [127.0.0.0/8], tenant: X-Tenant, caller: X-User}
            """
                .formatted(service.url()))) {
      HttpResponse<String> answer =
          trusting.post("/orders", "a-10", BODY, "X-Tenant", "acme", "X-User", "ann");

      assertThat(answer.body())
          .contains("Once-Tenant: acme")
          .contains("Once-Caller: ann")
          .doesNotContain("X-User");
      assertRefused(trusting.post("/orders", "a-11", BODY, "X-Tenant", "acme"));
    }
  }

  @Test
  void limitsTheWritesOfACallerBeforeAnythingIsStored() throws Exception {
    try (RunningGateway limited =
        RunningGateway.of(
            "upstream: {url: '%s'}\nrateLimit: {requests: 1, per: 1h}".formatted(service.url()))) {
      limited.post("/orders", "a-12", BODY);
      HttpResponse<String> refused = limited.post("/orders", "a-13", BODY);

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(limited.store().entries()).isEqualTo(1);
      assertThat(limited.get("/orders").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void refusesNoTokenForGoodWhileItsKeysCannotBeFetched() throws Exception {
    try (RunningGateway alone =
        RunningGateway.of(
            """
            upstream: {url: '%s'}
            authentication:
              jwt: {jwks: 'http://127.0.0.1:1/keys', algorithms: [RS256], issuer: us, audience: orders, tenantClaim: org}
            """
                .formatted(service.url()))) {
      int before = service.requests().size();

      HttpResponse<String> answer =
          alone.post(
              "/orders",
              "a-20",
              BODY,
              "Authorization",
              "Bearer " + token(claims("acme", "ann"), key));

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      assertThat(answer.body()).contains("auth.unavailable").doesNotContain("127.0.0.1");
      assertThat(service.requests()).hasSize(before);
    }
  }

  private static void assertRefused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("auth.required");
  }

  private static HttpResponse<String> withToken(String idempotencyKey, String token)
      throws Exception {
    return gateway.post("/orders", idempotencyKey, BODY, "Authorization", "Bearer " + token);
  }

  private static JWTClaimsSet claims(String tenant, String caller) {
    return new JWTClaimsSet.Builder()
        .issuer("us")
        .audience("orders")
        .subject(caller)
        .claim("org", tenant)
        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
        .build();
  }

  private static String token(JWTClaimsSet claims, RSAKey by) throws Exception {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build();
    SignedJWT token = new SignedJWT(header, claims);
    token.sign(new RSASSASigner(by));
    return token.serialize();
  }

  private static String sha256(String text) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(hash);
  }
}
