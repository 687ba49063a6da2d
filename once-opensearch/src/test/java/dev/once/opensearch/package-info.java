/** Tests of read models, on a real OpenSearch. */
@NullMarked
package dev.once.opensearch;

import org.jspecify.annotations.NullMarked;
