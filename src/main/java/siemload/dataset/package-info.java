/** Data sets: generated or recorded events, and the values that searches look for in them. */
@NullMarked
package siemload.dataset;

import org.jspecify.annotations.NullMarked;
