package dev.once.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat, embedded. */
final class TomcatServer implements ServletServer {
  /** Silences Tomcat, since handlers fail on purpose; a field, so that it is not collected. */
  private static final Logger LOG = Logger.getLogger("org.apache");

  private final Tomcat tomcat = new Tomcat();
  private final Path directory;

  TomcatServer(Site site) throws Exception {
    this(site, Optional.empty());
  }

  /** A server that handles requests on threads of {@code executor}. */
  TomcatServer(Site site, Optional<Executor> executor) throws Exception {
    LOG.setLevel(Level.OFF);
    directory = Files.createTempDirectory("once-tomcat-");
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    executor.ifPresent(tomcat.getConnector().getProtocolHandler()::setExecutor);
    Context root = context("", site);
    add(root, Site.PAGE, site.errorPage());
    ErrorPage page = new ErrorPage();
    page.setLocation(Site.PAGE);
    root.addErrorPage(page);
    context(Site.BARE, site);
    tomcat.start();
  }

  @Override
  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  private Context context(String path, Site site) {
    Context context = tomcat.addContext(path, directory.toString());
    ((StandardContext) context).setUnloadDelay(0); // Some handlers never answer.
    add(context, "before", site.before());
    add(context, "once", site.filter());
    add(context, Site.PARTLESS + "/*", site.servlet());
    add(context, "/", site.servlet())
        .setMultipartConfigElement(
            new MultipartConfigElement(directory.toString(), -1, MAX_PARTS_BYTES, 0));
    return context;
  }

  private static Wrapper add(Context context, String path, HttpServlet servlet) {
    Wrapper wrapper = Tomcat.addServlet(context, path, servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping(path);
    return wrapper;
  }

  private static void add(Context context, String name, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap mapping = new FilterMap();
    mapping.setFilterName(name);
    mapping.addURLPattern("/*");
    for (DispatcherType type : Site.DISPATCHES) {
      mapping.setDispatcher(type.name());
    }
    context.addFilterMap(mapping);
  }
}
