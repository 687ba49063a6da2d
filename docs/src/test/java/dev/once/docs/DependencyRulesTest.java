package dev.once.docs;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.once.docs.LibraryClasses.ALL;
import static dev.once.docs.LibraryClasses.INTERNAL;
import static dev.once.docs.LibraryClasses.LIBRARIES;
import static dev.once.docs.LibraryClasses.OF_A_LIBRARY;
import static dev.once.docs.LibraryClasses.packageOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The code of each library uses only what it may. The rules read class files of libraries; examples
 * and benchmarks assemble libraries, as an application does, and may use them all.
 */
class DependencyRulesTest {
  /**
   * What a library may use besides its own packages, java.base and JSpecify. {@code core} stands
   * for all packages of once-core. Dependencies lead to it, and adapters do not know each other.
   */
  private static final String TABLE =
      """
      library                  | of Once                          | of others
      once-core                |                                  |
      once-json                | core                             |
      once-http                | core, json                       |
      once-servlet             | core, json, http                 | jakarta.servlet
      once-claims              | core, json, http, servlet        | jakarta.servlet, tools.jackson
      once-steps               | core, json                       |
      once-jdbc                | core                             | java.sql, javax.sql
      once-cache               | core                             | com.github.benmanes.caffeine
      once-redis               | core                             | io.lettuce, io.netty
      once-jobs                | core, jdbc.internal              | java.sql, javax.sql, org.postgresql
                               |                                  | com.cronutils
      once-workflow            | core, json, jdbc.internal, jobs  | java.sql, javax.sql
                               | steps                            |
      once-inbox               | core, json, jdbc, jdbc.internal  | java.sql, javax.sql, tools.jackson
                               | jobs                             |
      once-inbox-servlet       | inbox                            | jakarta.servlet
      once-webhooks            | core, jdbc.internal, jobs        | java.net.http, java.sql, javax.sql
      once-payments            | core, json                       | com.google.i18n.phonenumbers
      once-events              | core, json, jdbc.internal        | java.sql, javax.sql, tools.jackson
      once-kafka               | core, events, events.internal    | org.apache.kafka
      once-s3                  | core, events, events.internal    | software.amazon.awssdk
                               |                                  | javax.sql, tools.jackson
      once-opensearch          | core, events                     | java.net.http, tools.jackson
      once-console             | core, json, jdbc, jobs, steps    | jakarta.servlet, tools.jackson
                               | workflow, webhooks, inbox        |
                               | events                           |
      once-client              | core, json                       | java.net.http, java.sql, okhttp3
                               |                                  | org.springframework, reactor
      once-effects             | core, events, client.internal    | java.net.http, tools.jackson
                               |                                  | io.lettuce
      once-spring-boot-starter | core, json, http, servlet        | org.springframework, org.slf4j
                               | jdbc, cache, redis, jobs, steps  | io.micrometer, io.github.bucket4j
                               | inbox, inbox.servlet, payments   | io.github.resilience4j, io.lettuce
                               | events, kafka, webhooks, workflow| org.aopalliance, jakarta.servlet
                               | console                          |
                               |                                  | java.sql, javax.sql, tools.jackson
                               |                                  | org.springdoc, io.swagger.v3.oas
                               |                                  | jakarta.persistence, org.hibernate
      once-spring-boot-test    | core, http, servlet              | org.springframework, jakarta.servlet
      once-embedded            |                                  | org.apache.commons.compress
                               |                                  | org.tukaani.xz, org.postgresql
                               |                                  | java.sql, com.sun.security.auth
      once-testkit             | core, embedded                   | org.junit, org.assertj, net.jqwik
                               |                                  | org.postgresql, java.sql, javax.sql
      """;

  private static final Set<String> HTTP =
      Set.of("jakarta.servlet", "java.net.http", "dev.once.http", "dev.once.servlet");
  private static final Set<String> SQL = Set.of("java.sql", "javax.sql", "dev.once.jdbc");

  /** The libraries that know both HTTP and SQL, and why they may. */
  private static final Map<String, String> KNOW_HTTP_AND_SQL =
      Map.of(
          "once-spring-boot-starter",
          "assembles filter, stores and transactions, as an application without it would",
          "once-client",
          "keeps HTTP requests in a file: OperationSender knows HTTP, what QueueFile lists SQL",
          "once-webhooks",
          "calls what a table lists: WebhookPost knows HTTP, PostgresEndpoints SQL, no class both",
          "once-console",
          "shows what tables have: ConsoleServlet knows HTTP, RecordsSection a store, no class both");

  private static final MavenModule CORE = library("once-core");
  private static final AllowedPackages ALLOWED = new AllowedPackages(CORE.packages(), TABLE);

  @Test
  void readsEveryLibrary() {
    assertThat(LIBRARIES)
        .as("every library must be a test dependency of docs")
        .allMatch(library -> ALL.stream().anyMatch(LibraryClasses.of(library)));
  }

  @Test
  void hasARowForEveryLibrary() {
    assertThat(ALLOWED.libraries())
        .as("the table in DependencyRulesTest must have a row for each library, and no others")
        .containsExactlyInAnyOrderElementsOf(libraries());
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void usesOnlyWhatTheTableAllows(String library) {
    var itself = LibraryClasses.of(library(library));

    classes()
        .that(itself)
        .should()
        .onlyDependOnClassesThat(
            itself.or(describe("are in its row", it -> ALLOWED.allows(library, packageOf(it)))))
        .because("the table in DependencyRulesTest says what " + library + " may use")
        .check(ALL);
  }

  @Test
  void knowsHttpOrSqlButNotBoth() {
    Map<String, String> knowBoth = new TreeMap<>();
    for (MavenModule library : LIBRARIES) {
      Optional<Dependency> http = LibraryClasses.firstUse(library, HTTP);
      Optional<Dependency> sql = LibraryClasses.firstUse(library, SQL);
      if (http.isPresent() && sql.isPresent()) {
        knowBoth.put(
            library.name(), http.get().getDescription() + "\n" + sql.get().getDescription());
      }
    }

    assertThat(knowBoth)
        .as("code that knows both HTTP and SQL is in the wrong library")
        .containsOnlyKeys(KNOW_HTTP_AND_SQL.keySet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"once-webhooks", "once-console"})
  void knowsHttpOrSqlInEachClassOfAModuleThatNeedsBoth(String library) {
    assertThat(ALL.that(LibraryClasses.of(library(library))))
        .isNotEmpty()
        .noneMatch(it -> uses(it, HTTP) && uses(it, SQL));
  }

  @Test
  void hasOnePackagePerLibraryAndPerhapsSpiAndInternal() {
    assertThat(ALL.stream().filter(it -> !isOfThisPackage(it))).allMatch(OF_A_LIBRARY);
  }

  /** The packages of once-core share its values and differ in their users: they count as one. */
  @Test
  void hasNoCyclesBetweenPackages() {
    slices().assignedFrom(new Packages()).should().beFreeOfCycles().check(ALL);
  }

  @Test
  void usesInternalTypesInLibrariesAlone() throws IOException {
    classes()
        .that(INTERNAL)
        .should()
        .onlyHaveDependentClassesThat(
            OF_A_LIBRARY.or(describe("test it", DependencyRulesTest::isOfThisPackage)))
        .allowEmptyShould(true) // no library must have an internal package
        .check(ALL);
    try (Stream<Path> files = Files.walk(Repository.ROOT.resolve("examples"))) {
      assertThat(files.filter(it -> it.toString().endsWith(".java")))
          .isNotEmpty()
          .allSatisfy(it -> assertThat(Repository.text(it)).doesNotContain("dev.once.internal"));
    }
  }

  @Test
  void mentionsNoInternalTypeInPublicSignatures() {
    classes().that(LibraryClasses.PUBLIC).should(new MentionNoInternalType()).check(ALL);
  }

  static List<String> libraries() {
    return LIBRARIES.stream().map(MavenModule::name).toList();
  }

  private static MavenModule library(String name) {
    return LIBRARIES.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private static boolean uses(JavaClass type, Set<String> packages) {
    return type.getDirectDependenciesFromSelf().stream()
        .anyMatch(it -> AllowedPackages.isIn(packages, packageOf(it.getTargetClass())));
  }

  private static boolean isOfThisPackage(JavaClass type) {
    return packageOf(type).equals(DependencyRulesTest.class.getPackageName());
  }

  private static final class Packages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      if (LibraryClasses.of(CORE).test(type)) {
        return SliceIdentifier.of("once-core");
      }
      return isOfThisPackage(type) ? SliceIdentifier.ignore() : SliceIdentifier.of(packageOf(type));
    }

    @Override
    public String getDescription() {
      return "packages of libraries";
    }
  }

  private static final class MentionNoInternalType extends ArchCondition<JavaClass> {
    MentionNoInternalType() {
      super("mention no internal type in a public signature");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      LibraryClasses.typesInSignaturesOf(type).stream()
          .filter(INTERNAL)
          .map(it -> type.getName() + " mentions " + it.getName())
          .forEach(it -> events.add(SimpleConditionEvent.violated(type, it)));
    }
  }
}
