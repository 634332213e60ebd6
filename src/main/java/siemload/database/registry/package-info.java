/** What siemload has made on a server, written down there: what a killed run left goes, what others made stays. Knows no database. */
@NullMarked
package siemload.database.registry;

import org.jspecify.annotations.NullMarked;
