/** The command line: the only package that prints, reads the environment, or exits. */
@NullMarked
package siemload.cli;

import org.jspecify.annotations.NullMarked;
