package dev.once.examples.pipeline;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.s3.S3EventStore;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import software.amazon.awssdk.services.s3.S3Client;

/** Accepts commands and appends them to the log; shows what becomes of them. */
final class Api implements Role.Running {
  private static final int THREADS = 32;

  private final HikariDataSource database;
  private final S3Client s3;
  private final StatusReader status;
  private final Server jetty;
  private final ServerConnector connector;

  Api(Environment environment) {
    this.database = environment.openDatabase();
    this.s3 = environment.openS3();
    S3EventStore store = environment.store(s3, database);
    store.check();
    this.status = new StatusReader(environment, store, database);
    this.jetty = new Server(new QueuedThreadPool(THREADS));
    this.connector = new ServerConnector(jetty, new HttpConnectionFactory(http()));
    connector.setHost("127.0.0.1");
    connector.setPort(environment.port());
    jetty.addConnector(connector);
    jetty.setHandler(servlets(store));
    LifeCycle.start(jetty);
  }

  private ServletContextHandler servlets(S3EventStore store) {
    ServletContextHandler context = new ServletContextHandler("/");
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    for (Kind kind : Kind.values()) {
      context.addServlet(
          new ServletHolder(new CommandServlet(kind, store)), "/v1/" + kind.plural() + "/*");
    }
    context.addServlet(new ServletHolder(new StatusServlet(status)), StatusServlet.PATH);
    context.addServlet(new ServletHolder(new PageServlet()), "/");
    return context;
  }

  /** Accepts ids with a slash, a point or an empty part, which are encoded in paths. */
  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "ids",
            Violation.AMBIGUOUS_PATH_SEPARATOR,
            Violation.AMBIGUOUS_PATH_ENCODING,
            Violation.AMBIGUOUS_PATH_SEGMENT,
            Violation.AMBIGUOUS_EMPTY_SEGMENT,
            Violation.SUSPICIOUS_PATH_CHARACTERS));
    return http;
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    LifeCycle.stop(jetty);
    status.close();
    s3.close();
    database.close();
  }
}
