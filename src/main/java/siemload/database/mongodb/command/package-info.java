/** Commands of users: their parameters, and which of them read. */
@NullMarked
package siemload.database.mongodb.command;

import org.jspecify.annotations.NullMarked;
