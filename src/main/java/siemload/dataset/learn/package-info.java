/** Learning a profile from a stream. In: events, once. Out: a data set like them, and how well it fits. */
@NullMarked
package siemload.dataset.learn;

import org.jspecify.annotations.NullMarked;
