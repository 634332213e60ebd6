/** Directories of this user: whose they are, how they are made, and how they are removed without following links. */
@NullMarked
package siemload.config.directory;

import org.jspecify.annotations.NullMarked;
