/** What one person does with a database, step by step. Start at {@link siemload.run.procedure.ProcedureContext}. */
@NullMarked
package siemload.run.procedure;

import org.jspecify.annotations.NullMarked;
