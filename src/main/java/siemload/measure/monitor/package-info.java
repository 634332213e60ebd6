/** What database and machine did during a run: read once a second, by threads of their own. */
@NullMarked
package siemload.measure.monitor;

import org.jspecify.annotations.NullMarked;
