package dev.once.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The settings of one entry of a map or a list, such as those of a queue. The metadata of Spring
 * Boot ends at the map; the record of an entry has the rest, in its Javadoc and its components.
 *
 * @param prefix how the names of the settings begin
 * @param source the text of the file that has the record
 * @param record the simple name of the record
 */
record SettingsOfEntry(String prefix, String source, String record) {
  private static final String SOURCES = "once-spring-boot-starter/src/main/java/dev/once/spring/";
  private static final Pattern PARAM =
      Pattern.compile("@param (\\w+) (.*?)(?=@param|$)", Pattern.DOTALL);
  private static final Pattern IMPORT = Pattern.compile("(?m)^import ([\\w.]+)\\.(\\w+);");
  private static final Map<String, String> OF_JAVA =
      Map.of(
          "boolean", "java.lang.Boolean",
          "int", "java.lang.Integer",
          "Boolean", "java.lang.Boolean",
          "Integer", "java.lang.Integer",
          "String", "java.lang.String",
          "List<String>", "java.util.List<java.lang.String>",
          "Set<String>", "java.util.Set<java.lang.String>");

  /** Reads a record that is nested in a class of the starter. */
  static SettingsOfEntry of(String prefix, Class<?> record) {
    Class<?> outer = record.getEnclosingClass();
    Path file = Repository.ROOT.resolve(SOURCES + outer.getSimpleName() + ".java");
    return new SettingsOfEntry(prefix, Repository.text(file), record.getSimpleName());
  }

  List<Setting> settings() {
    MatchResult found = find();
    String components = found.group(2).replaceAll("\\s+", " ");
    String javadoc = found.group(1).replaceAll("\\s*\\n\\s*\\*", "");
    return PARAM
        .matcher(javadoc)
        .results()
        .map(it -> setting(it.group(1), it.group(2).strip().replaceAll("\\s+", " "), components))
        .toList();
  }

  private MatchResult find() {
    Matcher matcher =
        Pattern.compile(
                "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public record " + record + "\\((.*?)\\)\\s*\\{",
                Pattern.DOTALL)
            .matcher(source);
    if (!matcher.find()) {
      throw new IllegalStateException("no record " + record + " with Javadoc");
    }
    return matcher.toMatchResult();
  }

  private Setting setting(String component, String description, String components) {
    Matcher declared =
        Pattern.compile(
                "((?:@\\w+(?:\\(\"[^\"]*\"\\))? )*)([\\w.]+(?:@Nullable \\w+)?(?:<[^>]*>)?) "
                    + component
                    + "(?=,|$)")
            .matcher(components);
    if (!declared.find()) {
      throw new IllegalStateException(record + " has no component " + component);
    }
    Matcher usual = Pattern.compile("@DefaultValue\\(\"([^\"]*)\"\\)").matcher(declared.group(1));
    return new Setting(
        prefix + component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT),
        SettingType.words(type(declared.group(2).replace("@Nullable ", ""))),
        usual.find() ? usual.group(1) : "",
        description);
  }

  /** Returns the full name of a type that the source names. */
  private String type(String name) {
    String ofJava = OF_JAVA.get(name);
    if (ofJava != null) {
      return ofJava;
    }
    String outer = name.replaceFirst("\\..*", "");
    return imports()
        .filter(it -> it.group(2).equals(outer))
        .map(it -> it.group(1) + "." + name.replace('.', '$'))
        .findFirst()
        .orElseGet(() -> "dev.once.spring." + outerClass() + "$" + name);
  }

  private Stream<MatchResult> imports() {
    return IMPORT.matcher(source).results();
  }

  private String outerClass() {
    Matcher matcher = Pattern.compile("(?m)^public record (\\w+)\\(").matcher(source);
    if (!matcher.find()) {
      throw new IllegalStateException("no public record around " + record);
    }
    return matcher.group(1);
  }
}
