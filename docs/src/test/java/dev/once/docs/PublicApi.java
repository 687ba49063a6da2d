package dev.once.docs;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares the public API of a module with its api.txt. The build runs this file as a program in
 * each published module, with the class path of that module; therefore it uses the JDK alone.
 */
final class PublicApi {
  private PublicApi() {}

  /** Arguments: the directory of the module's classes, its api.txt, and "check" or "write". */
  public static void main(String[] args) throws IOException {
    Path classes = Path.of(args[0]);
    Path file = Path.of(args[1]);
    if (Files.notExists(classes)) {
      return; // The parent has no code.
    }
    List<String> api = describe(classes);
    if (args[2].equals("write")) {
      Files.write(file, api);
      return;
    }
    List<String> accepted = Files.exists(file) ? Files.readAllLines(file) : List.of();
    if (!api.equals(accepted)) {
      System.err.println("The public API differs from " + file + ":");
      accepted.stream().filter(it -> !api.contains(it)).forEach(it -> System.err.println("-" + it));
      api.stream().filter(it -> !accepted.contains(it)).forEach(it -> System.err.println("+" + it));
      System.err.println("If this is intended: mvn process-classes -Dapi=write");
      System.exit(1);
    }
  }

  private static List<String> describe(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(it -> classes.relativize(it).toString())
          .filter(it -> it.endsWith(".class") && !it.endsWith("-info.class"))
          .map(PublicApi::load)
          .filter(PublicApi::isVisible)
          .sorted(comparing(Class::getName))
          .flatMap(it -> Stream.concat(Stream.of(declaration(it)), members(it)))
          .toList();
    }
  }

  private static Class<?> load(String file) {
    String name = file.replaceFirst("\\.class$", "").replaceAll("[/\\\\]", ".");
    try {
      return Class.forName(name, false, PublicApi.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " must be on the class path", e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String declaration(Class<?> type) {
    boolean isClass = kind(type).equals("class ");
    boolean extendsOther = isClass && type.getSuperclass() != Object.class;
    // A record, an enum and an interface have some of these by definition.
    int implied = isClass ? 0 : Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL;
    return modifiers(type.getModifiers() & Modifier.classModifiers() & ~implied)
        + (type.isSealed() && !type.isEnum() ? "sealed " : "")
        + kind(type)
        + type.getName()
        + typeParameters(type.getTypeParameters())
        + components(type)
        + (extendsOther ? " extends " + text(type.getAnnotatedSuperclass()) : "")
        + list(type.isInterface() ? " extends " : " implements ", type.getAnnotatedInterfaces());
  }

  private static String kind(Class<?> type) {
    if (type.isInterface()) {
      return type.isAnnotation() ? "@interface " : "interface ";
    }
    return type.isRecord() ? "record " : type.isEnum() ? "enum " : "class ";
  }

  private static String components(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type.getRecordComponents())
            .map(it -> text(it.getAnnotatedType()) + " " + it.getName())
            .collect(joining(", ", "(", ")"))
        : "";
  }

  private static Stream<String> members(Class<?> type) {
    Stream<Member[]> declared =
        Stream.of(
            type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods());
    return declared
        .flatMap(Stream::of)
        .filter(it -> isVisible(it.getModifiers()) && !it.isSynthetic() && !isImplied(it))
        .sorted(comparing(Member::getName).thenComparing(PublicApi::text))
        .map(it -> "  " + text(it));
  }

  /** Whether every object has it, or the head of a record shows it. */
  private static boolean isImplied(Member member) {
    Class<?> type = member.getDeclaringClass();
    return text(member)
            .matches(".* (equals\\((@Nullable )?Object\\)|hashCode\\(\\)|toString\\(\\))")
        || (type.isRecord()
            && member instanceof Constructor<?> constructor
            && Arrays.equals(constructor.getParameterTypes(), componentTypes(type)));
  }

  private static Class<?>[] componentTypes(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .map(RecordComponent::getType)
        .toArray(Class<?>[]::new);
  }

  private static String text(Member member) {
    if (member instanceof Field field) {
      String type = text(field.getAnnotatedType());
      return modifiers(field.getModifiers()) + type + " " + field.getName();
    }
    Executable executable = (Executable) member;
    String name = executable.getDeclaringClass().getSimpleName();
    String body = "";
    if (executable instanceof Method method) {
      name = text(method.getAnnotatedReturnType()) + " " + method.getName();
      body = method.isDefault() || method.getDefaultValue() != null ? "default " : "";
    }
    int flags = executable.getModifiers() & Modifier.methodModifiers() & ~Modifier.SYNCHRONIZED;
    String types = typeParameters(executable.getTypeParameters());
    String parameters = list("", executable.getAnnotatedParameterTypes());
    return modifiers(flags)
        + body
        + (types.isEmpty() ? "" : types + " ")
        + name
        + "("
        + (executable.isVarArgs() ? parameters.replaceFirst("\\[]$", "...") : parameters)
        + ")"
        + list(" throws ", executable.getAnnotatedExceptionTypes());
  }

  private static String modifiers(int flags) {
    String text = Modifier.toString(flags & ~Modifier.PUBLIC);
    return text.isEmpty() ? "" : text + " ";
  }

  private static String typeParameters(TypeVariable<?>[] parameters) {
    String text =
        Stream.of(parameters)
            .map(it -> it.getName() + list(" extends ", it.getAnnotatedBounds()))
            .collect(joining(", "));
    return text.isEmpty() ? "" : "<" + text + ">";
  }

  private static String list(String before, AnnotatedType... types) {
    String text = Stream.of(types).map(PublicApi::text).collect(joining(", "));
    return text.isEmpty() ? "" : before + text;
  }

  private static String text(AnnotatedType type) {
    return type.toString()
        .replaceAll("@[\\w.]+\\.(\\w+)\\(\\)", "@$1")
        .replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
  }
}
