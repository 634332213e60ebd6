/** What every database implements, and nothing that names one. In: where a server is, a variant, events, searches. Out: rows, plans, counters. */
@NullMarked
package siemload.database;

import org.jspecify.annotations.NullMarked;
