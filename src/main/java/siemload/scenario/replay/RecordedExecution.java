package siemload.scenario.replay;

import java.util.List;

/**
 * One execution of a statement of a query recording. Immutable.
 *
 * @param offsetMicros when it began, from the begin of the first one; 0 or more
 * @param session which session asked it, from 0
 * @param query which of the recording's statements, from 0
 * @param tookMicros how long the server worked on it then
 * @param values of its parameters, in the order of the statement's
 */
public record RecordedExecution(long offsetMicros, int session, int query, long tookMicros, List<String> values) {
    public RecordedExecution {
        values = List.copyOf(values);
    }
}
