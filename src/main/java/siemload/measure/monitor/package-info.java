/** What database and machine did during a run: read once a second, by threads of their own. The only one that sees OSHI. */
@NullMarked
package siemload.measure.monitor;

import org.jspecify.annotations.NullMarked;
