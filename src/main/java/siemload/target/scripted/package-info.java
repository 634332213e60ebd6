/** Answers that take a known time, to test siemload itself; not a database. */
@NullMarked
package siemload.target.scripted;

import org.jspecify.annotations.NullMarked;
