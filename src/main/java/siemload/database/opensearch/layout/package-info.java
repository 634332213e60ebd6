/** Layouts of indexes: which fields an event has, how they are mapped, and the JSON of searches. In: folders of files, events. Out: documents, mappings, queries, aggregations. */
@NullMarked
package siemload.database.opensearch.layout;

import org.jspecify.annotations.NullMarked;
