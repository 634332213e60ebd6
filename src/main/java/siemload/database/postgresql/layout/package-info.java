/**
 * The tables that events are stored in. In: the name of a layout, values of events and searches. Out: the layout's files of
 * statements, and values in PostgreSQL's text form.
 */
@NullMarked
package siemload.database.postgresql.layout;

import org.jspecify.annotations.NullMarked;
