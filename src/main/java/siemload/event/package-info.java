/** The IDEA security event. In: JSON of recordings. Out: {@link siemload.event.SecurityEvent}, and JSON again. Depends on no other package. */
@NullMarked
package siemload.event;

import org.jspecify.annotations.NullMarked;
