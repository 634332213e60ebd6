/** What was measured: samples, histograms, and the run result that is written as run.json. */
@NullMarked
package siemload.measure;

import org.jspecify.annotations.NullMarked;
