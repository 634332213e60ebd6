/**
 * Query recordings: what sessions asked a database, when and with which values. In: the executions of a log. Out: a file, and the same
 * executions from it, one after the other.
 */
@NullMarked
package siemload.scenario.replay;

import org.jspecify.annotations.NullMarked;
