package dev.once.spring;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Recognizes methods that return before their work has ended. */
final class AsyncTypes {
  private AsyncTypes() {}

  /** Returns whether a value of this type stands for work that has not ended. */
  static boolean isPending(Class<?> type) {
    return Future.class.isAssignableFrom(type)
        || CompletionStage.class.isAssignableFrom(type)
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
  }

  /** Returns whether Spring MVC answers the requests of a handler on another thread, or later. */
  static boolean isAsynchronous(Method handler) {
    ResolvableType returned =
        ResolvableType.forMethodParameter(MethodParameter.forExecutable(handler, -1));
    Class<?> type = returned.toClass();
    return isAsynchronous(type)
        || (HttpEntity.class.isAssignableFrom(type)
            && isAsynchronous(returned.as(HttpEntity.class).getGeneric().toClass()))
        || KotlinDetector.isSuspendingFunction(handler);
  }

  private static boolean isAsynchronous(Class<?> type) {
    return isPending(type)
        || Callable.class.isAssignableFrom(type)
        || DeferredResult.class.isAssignableFrom(type)
        || WebAsyncTask.class.isAssignableFrom(type)
        || ResponseBodyEmitter.class.isAssignableFrom(type)
        || StreamingResponseBody.class.isAssignableFrom(type);
  }
}
