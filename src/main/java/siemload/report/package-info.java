/** Results for people, made from run results alone. */
@NullMarked
package siemload.report;

import org.jspecify.annotations.NullMarked;
