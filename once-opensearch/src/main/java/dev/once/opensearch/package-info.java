/**
 * Read models in OpenSearch or Elasticsearch. A {@link dev.once.opensearch.ReadModel} says which
 * document an event makes; {@link dev.once.opensearch.SearchProjection} writes it, {@link
 * dev.once.opensearch.Rebuild} writes all of them again from the log, and {@link
 * dev.once.opensearch.ProjectionCheck} compares them with the log.
 */
@NullMarked
package dev.once.opensearch;

import org.jspecify.annotations.NullMarked;
