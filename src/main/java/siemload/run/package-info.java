/** One run, step by step. In: settings. Out: a directory of results and an exit code; or a process of its own that does the same. */
@NullMarked
package siemload.run;

import org.jspecify.annotations.NullMarked;
