/** Layouts of documents: templates of JSON with values in them, and what of an event a document has. In: the texts of files, events. Out: JSON with its values, documents, or all that is wrong. */
@NullMarked
package siemload.database.layout.document;

import org.jspecify.annotations.NullMarked;
