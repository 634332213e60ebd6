/** What people and CI servers read of comparisons and gates, made from their files alone. */
@NullMarked
package siemload.comparison;

import org.jspecify.annotations.NullMarked;
