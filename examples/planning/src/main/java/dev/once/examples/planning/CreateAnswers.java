package dev.once.examples.planning;

import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/** Describes the answers to a request that creates a resource. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@InvalidAnswer
@ApiResponse(
    responseCode = "201",
    description = "The resource was created.",
    useReturnTypeSchema = true,
    headers = {
      @Header(name = "Location", description = "The path of the resource."),
      @Header(name = "ETag", description = "Its revision, for If-Match.")
    })
@ApiResponse(
    responseCode = "409",
    description = "The state does not allow this, or the key belongs to another request.",
    content =
        @Content(
            mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
            schema = @Schema(implementation = ProblemDetail.class)))
@interface CreateAnswers {}
