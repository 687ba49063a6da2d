package dev.once.examples.planning;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.stereotype.Component;

/** The valid bearer tokens, and the caller of each. */
@Component
class ApiTokens implements OpaqueTokenIntrospector {
  static final String TENANT = "tenant";
  static final String ROLE = "role";

  private final JdbcClient jdbc;
  private final Map<String, OAuth2AuthenticatedPrincipal> lent = new ConcurrentHashMap<>();

  ApiTokens(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Makes {@code token} valid for a caller, and no longer for any earlier one. */
  void add(String token, String tenant, String caller, Role role) {
    jdbc.sql(
            """
            INSERT INTO api_token (token_hash, tenant, caller, role)
            VALUES (:hash, :tenant, :caller, :role)
            ON CONFLICT (token_hash) DO UPDATE
            SET tenant = EXCLUDED.tenant, caller = EXCLUDED.caller, role = EXCLUDED.role
            """)
        .param("hash", hashOf(token))
        .param("tenant", tenant)
        .param("caller", caller)
        .param("role", role.word())
        .update();
  }

  /** Makes {@code token} invalid. */
  void remove(String token) {
    jdbc.sql("DELETE FROM api_token WHERE token_hash = :hash")
        .param("hash", hashOf(token))
        .update();
  }

  /** Makes {@code token} valid in this process only, until it ends. */
  void lend(String token, String tenant, String caller, Role role) {
    lent.put(hashOf(token), principal(tenant, caller, role.word()));
  }

  @Override
  public OAuth2AuthenticatedPrincipal introspect(String token) {
    OAuth2AuthenticatedPrincipal known = lent.get(hashOf(token));
    return known == null ? find(token) : known;
  }

  private OAuth2AuthenticatedPrincipal find(String token) {
    return jdbc.sql("SELECT tenant, caller, role FROM api_token WHERE token_hash = :hash")
        .param("hash", hashOf(token))
        .query(
            (row, number) ->
                principal(row.getString("tenant"), row.getString("caller"), row.getString("role")))
        .optional()
        .orElseThrow(() -> new BadOpaqueTokenException("the token is not known"));
  }

  private static OAuth2AuthenticatedPrincipal principal(String tenant, String caller, String role) {
    return new DefaultOAuth2AuthenticatedPrincipal(
        caller,
        Map.of(TENANT, tenant, ROLE, role),
        List.of(new SimpleGrantedAuthority("ROLE_" + role)));
  }

  private static String hashOf(String token) {
    return Sha256.hex(token.getBytes(StandardCharsets.UTF_8));
  }
}
