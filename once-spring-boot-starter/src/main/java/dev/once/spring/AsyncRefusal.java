package dev.once.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * Lets the request of a transactional route know that its handler goes asynchronous. Spring MVC
 * itself only asks whether it can, and fails if not; so do many that need no answer.
 */
final class AsyncRefusal
    implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {
  private static final AsyncRefusal INSTANCE = new AsyncRefusal();

  static void register(HttpServletRequest request) {
    WebAsyncManager manager = WebAsyncUtils.getAsyncManager(request);
    manager.registerCallableInterceptor(AsyncRefusal.class, INSTANCE);
    manager.registerDeferredResultInterceptor(AsyncRefusal.class, INSTANCE);
  }

  @Override
  public <T> void beforeConcurrentHandling(NativeWebRequest request, Callable<T> task) {
    refuse(request);
  }

  @Override
  public <T> void beforeConcurrentHandling(NativeWebRequest request, DeferredResult<T> result) {
    refuse(request);
  }

  private static void refuse(NativeWebRequest request) {
    @Nullable HttpServletRequest it = request.getNativeRequest(HttpServletRequest.class);
    if (it != null && !it.isAsyncSupported()) {
      it.startAsync(); // Throws.
    }
  }
}
