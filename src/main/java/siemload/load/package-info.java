/** The load on Gatling. In: a {@link siemload.run.LoadRun} that is ready. Out: a sample of each search and each batch of the feeder. The only package that sees Gatling. */
@NullMarked
package siemload.load;

import org.jspecify.annotations.NullMarked;
