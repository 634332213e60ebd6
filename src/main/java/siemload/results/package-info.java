/** The directory of a run: one writer and one reader for each of its files. In: what is measured. Out: {@link siemload.results.RunResult}, reports for people and for CI servers, the live view. */
@NullMarked
package siemload.results;

import org.jspecify.annotations.NullMarked;
