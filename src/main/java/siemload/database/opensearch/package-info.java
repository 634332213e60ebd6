/** OpenSearch: the IDEA events as flat documents, one index for each data set and run, asked over its REST interface. */
@NullMarked
package siemload.database.opensearch;

import org.jspecify.annotations.NullMarked;
