package dev.once.docs;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The classes of Once on the class path, and the libraries to which they belong. */
final class LibraryClasses {
  static final List<MavenModule> LIBRARIES = MavenModule.libraries();

  /** The classes of all libraries, and those of this package. */
  static final JavaClasses ALL = new ClassFileImporter().importPackages("dev.once");

  static final DescribedPredicate<JavaClass> OF_A_LIBRARY =
      describe("belong to a library", type -> LIBRARIES.stream().anyMatch(it -> of(it).test(type)));

  static final DescribedPredicate<JavaClass> INTERNAL =
      describe("are internal", it -> OF_A_LIBRARY.test(it) && packageOf(it).endsWith(".internal"));

  /** What applications can name: public types that are not internal. */
  static final DescribedPredicate<JavaClass> PUBLIC =
      describe(
          "are public API", it -> OF_A_LIBRARY.test(it) && !INTERNAL.test(it) && isVisible(it));

  private LibraryClasses() {}

  static DescribedPredicate<JavaClass> of(MavenModule library) {
    List<String> packages = library.packages();
    return describe("belong to " + library.name(), it -> packages.contains(packageOf(it)));
  }

  /** Returns the package of a class, or of the elements of an array; that of a primitive is "". */
  static String packageOf(JavaClass type) {
    return type.getBaseComponentType().getPackageName();
  }

  /** Returns the first place where a library uses one of the packages or one below them. */
  static Optional<Dependency> firstUse(MavenModule library, Set<String> packages) {
    return ALL.that(of(library)).stream()
        .flatMap(it -> it.getDirectDependenciesFromSelf().stream())
        .filter(it -> AllowedPackages.isIn(packages, packageOf(it.getTargetClass())))
        .min(Comparator.comparing(Dependency::getDescription));
  }

  /** Returns the types that users of {@code type} see in its declaration and its members. */
  static Set<JavaClass> typesInSignaturesOf(JavaClass type) {
    Set<JavaType> head = new LinkedHashSet<>(type.getInterfaces());
    type.getSuperclass().ifPresent(head::add);
    head.addAll(type.getTypeParameters());
    Set<JavaClass> types = new LinkedHashSet<>();
    head.forEach(it -> types.addAll(it.getAllInvolvedRawTypes()));
    for (JavaMember member : type.getAllMembers()) {
      if (isVisible(member.getModifiers())) {
        types.addAll(member.getAllInvolvedRawTypes());
        if (member instanceof JavaCodeUnit it) {
          types.addAll(it.getExceptionTypes());
        }
      }
    }
    return types;
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(LibraryClasses::isVisible).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
