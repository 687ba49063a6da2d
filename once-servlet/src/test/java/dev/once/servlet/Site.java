package dev.once.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The application that a server serves: a handler behind a filter, both replaced by each test, so
 * that one server is enough. Its root has an error page for everything, its context {@link #BARE}
 * has none.
 */
final class Site {
  /** The context without an error page. */
  static final String BARE = "/bare";

  /** The path of the error page. */
  static final String PAGE = "/page";

  /** Below this path the handler has no multipart configuration. */
  static final String PARTLESS = "/partless";

  /** A request with this header gets an error page that fails itself. */
  static final String FAIL_PAGE = "X-Fail-Page";

  /** The header that an earlier filter sets on every response. */
  static final String BEFORE = "X-Before";

  static final EnumSet<DispatcherType> DISPATCHES =
      EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);

  /** Writes the answer to a request. */
  @FunctionalInterface
  interface Handler {
    void handle(HttpServletRequest request, HttpServletResponse response) throws Exception;
  }

  private final AtomicInteger pages = new AtomicInteger();
  private volatile Filter filter = (request, response, chain) -> chain.doFilter(request, response);
  private volatile Handler handler = (request, response) -> {};

  void use(Filter filter, Handler handler) {
    this.filter = filter;
    this.handler = handler;
  }

  Filter before() {
    return (request, response, chain) -> {
      ((HttpServletResponse) response).setHeader(BEFORE, "yes");
      chain.doFilter(request, response);
    };
  }

  Filter filter() {
    return (request, response, chain) -> filter.doFilter(request, response, chain);
  }

  HttpServlet servlet() {
    return new Serving((request, response) -> handler.handle(request, response));
  }

  /** Numbers the pages, so that a replay differs from a second page. */
  HttpServlet errorPage() {
    return new Serving(
        (request, response) -> {
          if (request.getHeader(FAIL_PAGE) != null) {
            throw new IllegalStateException("on purpose");
          }
          response.setContentType("text/plain;charset=UTF-8");
          Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
          response.getWriter().print("page " + pages.incrementAndGet() + " for " + status);
        });
  }

  private static final class Serving extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient Handler handler;

    Serving(Handler handler) {
      this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      try {
        handler.handle(request, response);
      } catch (IOException | ServletException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new ServletException(e);
      }
    }
  }
}
