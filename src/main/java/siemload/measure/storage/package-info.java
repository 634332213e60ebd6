/** What a disk can do: fio measures through a file of its own, which is made, guarded and removed here. In: a directory. Out: points, and {@code storage.json} kept for later runs. */
@NullMarked
package siemload.measure.storage;

import org.jspecify.annotations.NullMarked;
