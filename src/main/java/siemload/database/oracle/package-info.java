/** Oracle Database: the layout {@code arc_event}, loading, searching, hints and plans. Uses JDBC alone, no class of the driver. */
@NullMarked
package siemload.database.oracle;

import org.jspecify.annotations.NullMarked;
