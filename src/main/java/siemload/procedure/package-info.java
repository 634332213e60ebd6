/** What one person does with a database, step by step. Start at {@link siemload.procedure.Procedures}. */
@NullMarked
package siemload.procedure;

import org.jspecify.annotations.NullMarked;
