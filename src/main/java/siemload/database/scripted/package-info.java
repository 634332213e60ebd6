/** Answers that take a known time, to test siemload itself; not a database. */
@NullMarked
package siemload.database.scripted;

import org.jspecify.annotations.NullMarked;
