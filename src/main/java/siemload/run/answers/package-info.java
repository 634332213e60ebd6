/** Whether the answers of a run were right: a sample of them is held against the events that the run was made of. */
@NullMarked
package siemload.run.answers;

import org.jspecify.annotations.NullMarked;
