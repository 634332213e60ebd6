/** What people and CI servers read of comparisons and gates, made from their files alone. */
@NullMarked
package siemload.compare.report;

import org.jspecify.annotations.NullMarked;
