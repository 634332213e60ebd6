/**
 * What siemload has made on a server, written down on that server: so that two runs at once respect each other, what a killed
 * run left is dropped by a later one, and nothing that somebody else made is ever touched. Knows no database. Start at {@link
 * siemload.database.registry.Registry}.
 */
@NullMarked
package siemload.database.registry;

import org.jspecify.annotations.NullMarked;
