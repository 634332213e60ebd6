/** The reference target: plain collections, every search answered by a plain scan. The truth of the contract test, not a database. */
@NullMarked
package siemload.database.memory;

import org.jspecify.annotations.NullMarked;
