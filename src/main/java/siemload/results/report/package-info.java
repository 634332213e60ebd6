/** Results for people, made from run results alone. */
@NullMarked
package siemload.results.report;

import org.jspecify.annotations.NullMarked;
