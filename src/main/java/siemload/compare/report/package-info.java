/** What people and CI servers read of comparisons, gates and capacities, made from their files alone. */
@NullMarked
package siemload.compare.report;

import org.jspecify.annotations.NullMarked;
