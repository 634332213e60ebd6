/**
 * Servers of siemload's own. In: a directory or memory, and parameters. Out: a running embedded server, or the request for a
 * container.
 */
@NullMarked
package siemload.database.postgresql.server;

import org.jspecify.annotations.NullMarked;
