/** One load run from its settings to its results. */
@NullMarked
package siemload.run;

import org.jspecify.annotations.NullMarked;
