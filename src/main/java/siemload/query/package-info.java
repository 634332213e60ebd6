/** What analysts ask. In: files of searches and drawn values. Out: a {@link siemload.query.Search} with criteria, window, order and page, which databases translate. The catalogue names each of them. */
@NullMarked
package siemload.query;

import org.jspecify.annotations.NullMarked;
