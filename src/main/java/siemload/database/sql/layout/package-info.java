/** What layouts of tables have in common: tables and columns in {@code layout.yaml}, files of statements and the names in them. In: the files of a folder. Out: tables and statements, or all that is wrong. */
@NullMarked
package siemload.database.sql.layout;

import org.jspecify.annotations.NullMarked;
