package dev.once.spring;

import dev.once.Once;
import dev.once.http.Contract;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import dev.once.http.Refusal;
import dev.once.http.Route;
import dev.once.json.Fingerprinter;
import dev.once.servlet.CallerResolver;
import dev.once.servlet.ExchangeListener;
import dev.once.servlet.OnceFilter;
import dev.once.servlet.RouteResolver;
import dev.once.servlet.Transactions;
import dev.once.spi.RecordStore;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Configures the filter in front of Spring MVC, and what handlers see of the contract. */
@AutoConfiguration(after = {OnceAutoConfiguration.class, WebMvcAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.http.enabled"},
    matchIfMissing = true)
@Import(RefusalAdvice.class)
class OnceWebAutoConfiguration {
  /** After Spring Security's -100, which refuses unauthorized requests first. */
  static final int FILTER_ORDER = -50;

  @Bean
  @ConditionalOnMissingBean
  Contract onceContract(OnceProperties properties, ObjectProvider<ServerProperties> server) {
    String contextPath =
        Optional.ofNullable(server.getIfAvailable())
            .map(it -> it.getServlet().getContextPath())
            .orElse("");
    return ContractSettings.contract(properties, contextPath);
  }

  @Bean
  @ConditionalOnMissingBean
  HttpOnce httpOnce(Contract contract, Fingerprinter fingerprinter) {
    return new HttpOnce(contract, fingerprinter);
  }

  @Bean
  @ConditionalOnMissingBean
  CallerResolver onceCallers(OnceProperties properties) {
    String tenant = properties.http().tenant();
    if (tenant == null) {
      throw new MisconfiguredException(
          "nothing says which tenant a request belongs to.",
          "Define a bean of type dev.once.servlet.CallerResolver that reads tenant and caller from"
              + " the security principal; or, for an application with one tenant, set"
              + " once.http.tenant to its name.");
    }
    try {
      return new PrincipalCallers(tenant, properties.http().allowAnonymous());
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.http.tenant cannot be used: " + e.getMessage() + ".",
          "Set it to the name of the application's one tenant.");
    }
  }

  @Bean
  @ConditionalOnMissingBean(RouteResolver.class)
  MvcRoutes onceRoutes(ListableBeanFactory beans, Contract contract, OnceProperties properties) {
    List<HandlerMapping> mappings =
        new ArrayList<>(
            BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, HandlerMapping.class, true, false)
                .values());
    AnnotationAwareOrderComparator.sort(mappings);
    return new MvcRoutes(mappings, contract, properties);
  }

  @Bean
  RouteCheck onceRouteCheck(
      HttpOnce http, RouteResolver routes, ObjectProvider<RequestMappingHandlerMapping> mappings) {
    return new RouteCheck(http, routes, mappings);
  }

  @Bean
  RouteChangeCheck onceRouteChangeCheck(
      HttpOnce http, RouteResolver routes, ApplicationContext context) {
    return new RouteChangeCheck(http, routes, context);
  }

  @Bean
  SettingNamesCheck onceSettingNamesCheck(Environment environment) {
    return new SettingNamesCheck(environment);
  }

  /** Static: interceptors are created with the first mapping, before this configuration. */
  @Bean
  static MappedInterceptor onceDispatchGuard(
      ObjectProvider<HttpOnce> http,
      ObjectProvider<RouteResolver> routes,
      ObjectProvider<ExchangeListener> listeners,
      ObjectProvider<OnceProperties> properties) {
    return new MappedInterceptor(null, new DispatchGuard(http, routes, listeners, properties));
  }

  @Bean
  static MappedInterceptor onceFlush(ObjectProvider<Transactions> transactions) {
    return new MappedInterceptor(null, new FlushInterceptor(transactions));
  }

  @Bean
  FilterRegistrationBean<OnceFilter> onceFilter(
      Once once,
      RecordStore store,
      Contract contract,
      Fingerprinter fingerprinter,
      CallerResolver callers,
      RouteResolver routes,
      Transactions transactions,
      List<ExchangeListener> listeners,
      OnceProperties properties) {
    boolean isTransactional = properties.routeMode(contract) == Route.Mode.TRANSACTIONAL;
    if (isTransactional && transactions instanceof SpringTransactions it) {
      it.requireAvailable("once.mode");
    }
    FilterRegistrationBean<OnceFilter> registration =
        new FilterRegistrationBean<>(
            OnceFilter.builder(once, store)
                .contract(contract)
                .fingerprinter(fingerprinter)
                .callers(callers)
                .routes(routes)
                .transactions(transactions)
                .listener(all(listeners))
                .maxWaiting(properties.http().maxWaiting())
                .unrouted(properties.http().unrouted())
                .enforcement(properties.http().enforcement())
                .build());
    registration.setDispatcherTypes(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    registration.setAsyncSupported(true);
    registration.setOrder(FILTER_ORDER);
    return registration;
  }

  @Bean
  StartLine onceStartLine(Contract contract, RecordStore store, OnceProperties properties) {
    return new StartLine(contract, properties.routeMode(contract), store, properties.http());
  }

  @Bean
  WebMvcConfigurer onceArguments(Contract contract) {
    return new IfMatchResolver(contract).configurer();
  }

  private static ExchangeListener all(List<ExchangeListener> listeners) {
    return new ExchangeListener() {
      @Override
      public void answered(HttpOperation operation, HttpOperation.Answered answered) {
        listeners.forEach(listener -> listener.answered(operation, answered));
      }

      @Override
      public void passed(String method, Route route, Refusal reason) {
        listeners.forEach(listener -> listener.passed(method, route, reason));
      }

      @Override
      public void refused(String method, Route route, Refusal reason) {
        listeners.forEach(listener -> listener.refused(method, route, reason));
      }
    };
  }
}
