/** What layouts of all databases have in common: keys of {@code layout.yaml}, and which files a folder needs. In: the files of a folder. Out: what it offers, or all that is wrong. */
@NullMarked
package siemload.database.layout;

import org.jspecify.annotations.NullMarked;
