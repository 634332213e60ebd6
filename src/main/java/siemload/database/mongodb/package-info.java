/** MongoDB: the IDEA events as documents, with every searched part comparable and indexable, and their JSON beside. */
@NullMarked
package siemload.database.mongodb;

import org.jspecify.annotations.NullMarked;
