/** What analysts ask: searches, their criteria, windows, orders and pages. The catalogue names each of them; targets translate them. */
@NullMarked
package siemload.query;

import org.jspecify.annotations.NullMarked;
