/** Layouts of documents: which keys an event has, and the JSON of searches. In: folders of files, events. Out: documents, filters, pipelines, indexes. */
@NullMarked
package siemload.database.mongodb.layout;

import org.jspecify.annotations.NullMarked;
