package dev.once.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The bean of a type that Once works with: the one that a setting names, or else the only or
 * primary one.
 *
 * @param setting the setting that may name the bean
 * @param name its value
 */
record ChosenBean<T>(
    ListableBeanFactory beans, Class<T> type, String setting, @Nullable String name) {

  /**
   * Returns the bean, or null if there is none, or several of which none is primary.
   *
   * @throws MisconfiguredException if the setting names no bean of the type
   */
  @Nullable T get() {
    if (name == null) {
      return beans.getBeanProvider(type).getIfUnique();
    }
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
      throw new MisconfiguredException(
          "%s is %s, but no %s has this name.".formatted(setting, name, type.getSimpleName()),
          names().isEmpty()
              ? "Define such a bean, or leave out the setting."
              : "Set it to one of: " + String.join(", ", names()) + ".");
    }
    return beans.getBean(name, type);
  }

  /** Returns the names of all beans of the type. */
  List<String> names() {
    return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type));
  }

  /** Describes why {@link #get} found none. */
  String problem() {
    return names().isEmpty()
        ? "there is no " + type.getSimpleName()
        : "there is no single %s, but %s,"
            .formatted(type.getSimpleName(), String.join(" and ", names()));
  }

  /** Describes how to choose one of several, or {@code otherwise} if there is none at all. */
  String action(String otherwise) {
    return names().isEmpty()
        ? otherwise
        : "Set %s to the name of one of them, or mark one as @Primary.".formatted(setting);
  }
}
