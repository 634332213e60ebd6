/** Whether the load generator measures rightly on the user's own machine: makes runs whose results are known beforehand, and checks them. */
@NullMarked
package siemload.run.selftest;

import org.jspecify.annotations.NullMarked;
