/** One run, step by step. In: settings. Out: a directory of results and an exit code. */
@NullMarked
package siemload.run;

import org.jspecify.annotations.NullMarked;
