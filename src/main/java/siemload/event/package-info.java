/** The IDEA security event and its readers and writers; depends on no other package of the project. */
@NullMarked
package siemload.event;

import org.jspecify.annotations.NullMarked;
