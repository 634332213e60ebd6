/** What databases on servers share that keep the events of all runs in one place; start at {@code ServerTarget}. */
@NullMarked
package siemload.database.server;

import org.jspecify.annotations.NullMarked;
