/** Tests of the event store on S3, with a real S3 server and a real PostgreSQL. */
@NullMarked
package dev.once.s3;

import org.jspecify.annotations.NullMarked;
