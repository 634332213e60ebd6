/** Whether the answers of a run were right: a sample of them is held against the events that the run was made of. */
@NullMarked
package siemload.check;

import org.jspecify.annotations.NullMarked;
