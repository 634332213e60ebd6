/** What MongoDB logs of commands: its structured log and its profiler, commands in their normal form. */
@NullMarked
package siemload.database.mongodb.querylog;

import org.jspecify.annotations.NullMarked;
