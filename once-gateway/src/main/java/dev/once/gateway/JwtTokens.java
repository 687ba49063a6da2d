package dev.once.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.once.http.Caller;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows clients by signed tokens: {@code Authorization: Bearer}. */
final class JwtTokens implements Authenticator {
  private static final Logger LOG = LoggerFactory.getLogger(JwtTokens.class);
  private static final String SCHEME = "Bearer ";
  private static final int MAX_TOKEN_CHARS = 8192;
  private static final int FETCH_MILLIS = 2000;
  private static final int MAX_KEYS_BYTES = 1 << 20;

  private final JwtSettings settings;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  JwtTokens(JwtSettings settings) {
    this.settings = settings;
    Set<JWSAlgorithm> algorithms =
        settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys(settings)));
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            settings.audience(),
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
            Set.of("exp", settings.tenantClaim(), settings.callerClaim()));
    claims.setMaxClockSkew((int) settings.clockSkew().toSeconds());
    processor.setJWTClaimsSetVerifier(claims);
  }

  private static JWKSource<SecurityContext> keys(JwtSettings settings) {
    if (settings.keys() instanceof JwtSettings.Keys.Shared shared) {
      return new ImmutableSecret<>(secret(shared.file()));
    }
    try {
      return JWKSourceBuilder.create(
              settings.jwks().orElseThrow().toURL(),
              new DefaultResourceRetriever(FETCH_MILLIS, FETCH_MILLIS, MAX_KEYS_BYTES))
          .retrying(true)
          .outageTolerant(true)
          .build();
    } catch (MalformedURLException | IllegalArgumentException e) {
      throw new SettingsException("jwks must be an address that starts with https://", e);
    }
  }

  private static byte[] secret(Path file) {
    try {
      byte[] secret = Files.readAllBytes(file);
      if (secret.length < 32) {
        throw new SettingsException(
            file + " must have 32 bytes or more to be a key, got " + secret.length);
      }
      return secret;
    } catch (IOException e) {
      throw new SettingsException(file + " cannot be read: " + e, e);
    }
  }

  @Override
  public Optional<Caller> caller(Request request) throws BadCredentialsException {
    List<String> lines = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
    if (lines.isEmpty() || !lines.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String token = lines.get(0).substring(SCHEME.length()).strip();
    if (lines.size() > 1 || token.length() > MAX_TOKEN_CHARS) {
      throw new BadCredentialsException("there must be one token of at most 8192 characters");
    }
    try {
      JWTClaimsSet claims = processor.process(token, null);
      return Optional.of(
          new Caller(
              claims.getStringClaim(settings.tenantClaim()),
              claims.getStringClaim(settings.callerClaim())));
    } catch (KeySourceException e) {
      if (!(e instanceof RateLimitReachedException)) { // The failure before it was logged.
        LOG.atError().addKeyValue("reason", e.getMessage()).log("keys.unavailable");
      }
      throw new KeysUnavailableException(e); // A client must not take that for a bad token.
    } catch (ParseException | BadJOSEException | JOSEException | IllegalArgumentException e) {
      throw new BadCredentialsException("the token is not accepted");
    }
  }
}
