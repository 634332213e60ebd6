/** The load of one run in several processes: each is an injector, which asks and feeds its share, and one coordinates them. */
@NullMarked
package siemload.load.injector;

import org.jspecify.annotations.NullMarked;
