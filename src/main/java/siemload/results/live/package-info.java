/** A run to watch while it goes on: a page with its charts, and metrics for Prometheus, from the files it writes. */
@NullMarked
package siemload.results.live;

import org.jspecify.annotations.NullMarked;
