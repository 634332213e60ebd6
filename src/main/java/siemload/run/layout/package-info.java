/**
 * Whether a layout of one's own answers rightly. In: a store in its tables, and the reference with the same events. Out: how many
 * answers were right, and what is wrong with the first that was not.
 */
@NullMarked
package siemload.run.layout;

import org.jspecify.annotations.NullMarked;
