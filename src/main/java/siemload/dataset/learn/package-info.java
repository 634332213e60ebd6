/** Data sets from recordings. In: events. Out: the files of a data set that generates events like them, and how well it fits. */
@NullMarked
package siemload.dataset.learn;

import org.jspecify.annotations.NullMarked;
