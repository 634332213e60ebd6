/** A run to watch while it goes on: a page with its charts, and metrics for Prometheus, from what it tells its listeners. */
@NullMarked
package siemload.results.live;

import org.jspecify.annotations.NullMarked;
