/** Runs against runs: experiments, gates, histories. In: run.json of many runs. Out: verdicts, reports, and an exit code. No database, no Gatling. */
@NullMarked
package siemload.compare;

import org.jspecify.annotations.NullMarked;
