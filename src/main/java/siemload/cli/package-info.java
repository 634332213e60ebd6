/** The command line: it parses, calls, prints and chooses the exit code. In: arguments, environment, signals. Out: what is printed, and an exit code. The only package that prints, reads the environment, or exits. */
@NullMarked
package siemload.cli;

import org.jspecify.annotations.NullMarked;
