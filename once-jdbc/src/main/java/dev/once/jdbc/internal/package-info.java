/**
 * What once-jdbc shares with modules of Once that have their own tables beside the records. Not for
 * applications or extensions: it changes without notice. {@link dev.once.jdbc.internal.Schema}
 * creates the tables, {@link dev.once.jdbc.internal.TransactionRunner} runs statements on them.
 */
@NullMarked
package dev.once.jdbc.internal;

import org.jspecify.annotations.NullMarked;
