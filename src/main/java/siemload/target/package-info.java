/** The small interface that every database implements, and nothing that names one. */
@NullMarked
package siemload.target;

import org.jspecify.annotations.NullMarked;
