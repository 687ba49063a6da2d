/**
 * An event store on S3-compatible storage. Start with {@link dev.once.s3.S3EventStore}; {@link
 * dev.once.s3.S3Checkpoints} keeps the checkpoints of relays beside its log.
 */
@NullMarked
package dev.once.s3;

import org.jspecify.annotations.NullMarked;
