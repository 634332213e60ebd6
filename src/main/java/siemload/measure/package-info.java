/** Measurements. In: samples. Out: histograms and figures for the files of a run. */
@NullMarked
package siemload.measure;

import org.jspecify.annotations.NullMarked;
