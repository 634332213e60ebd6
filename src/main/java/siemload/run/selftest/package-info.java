/** Whether the load generator measures rightly on the user's own machine: runs whose results are known beforehand. */
@NullMarked
package siemload.run.selftest;

import org.jspecify.annotations.NullMarked;
