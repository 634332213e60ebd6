/** Data sets. In: a YAML file, or a recording. Out: events in the order of their numbers, and the values that searches look for in them. */
@NullMarked
package siemload.dataset;

import org.jspecify.annotations.NullMarked;
