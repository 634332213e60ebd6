package siemload.database.scripted;

import java.util.List;
import java.util.Map;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.SessionCounts;
import siemload.database.StatementSource;

/**
 * Tells how long the answers were to take, by search: all that such a server does; where an answer comes later than that, the
 * machine woke its thread up late. Of a server with so many places it counts the searches that it works on, and those that wait
 * for one, too.
 */
final class ScriptedCounters implements Counters {
    private final Script script;
    private final SessionCounts sessions = new SessionCounts();

    ScriptedCounters(Script script) {
        this.script = script;
    }

    @Override
    public CounterReading read() {
        return new CounterReading(
                        Map.of(), Map.of(), script.places().map(this::counted).orElse(Map.of()))
                .with(script.answered());
    }

    private Map<String, Long> counted(ScriptPlaces places) {
        sessions.add(places.at(script.waiting().nanos()));
        return sessions.counters();
    }

    @Override
    public StatementSource statements() {
        return StatementSource.of("the script", "how long the answers were to take");
    }

    @Override
    public List<String> gaps() {
        return List.of();
    }

    @Override
    public void close() {}
}
