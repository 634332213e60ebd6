/** Formats of events. In: lines of CEF, ECS or OCSF and a mapping file. Out: IDEA events with all that the lines had. */
@NullMarked
package siemload.dataset.format;

import org.jspecify.annotations.NullMarked;
