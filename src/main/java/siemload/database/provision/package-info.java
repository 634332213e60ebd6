/** Where the server comes from: embedded, a container, or somebody else's. */
@NullMarked
package siemload.database.provision;

import org.jspecify.annotations.NullMarked;
