/** What a disk can do, in ORION's form: the points of its matrix, first with nothing beside them and then beside a feeder in a process of its own. */
@NullMarked
package siemload.run.storage;

import org.jspecify.annotations.NullMarked;
