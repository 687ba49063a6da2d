package dev.once.examples.planning;

import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes the answers to a request that reads a resource, or what belongs to it. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@NotFoundAnswer
@ApiResponse(responseCode = "200", description = "OK", useReturnTypeSchema = true)
@interface ReadAnswers {}
