package siemload.database.scripted;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import siemload.database.scripted.ScriptedPlugin.Script;
import siemload.database.scripted.ScriptedPlugin.ScriptClock;
import siemload.query.SearchName;

/** The scripted target without threads or clocks: when it would answer is known from when it is asked. Used by one thread. */
public final class VirtualServer {
    private static final ScriptClock STANDING = new ScriptClock() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void until(long instant, BooleanSupplier givenUp) {
            throw new IllegalStateException("nobody waits here");
        }
    };

    private final Script script;

    /** @param parameters as {@code --parameters} has them: {@code workers=8,median=20ms} */
    public VirtualServer(Map<String, String> parameters) {
        this.script = new Script(STANDING, parameters);
    }

    /** How long each search takes of those that come at these instants, in their order, with the time for which it waits. */
    public List<Long> nanos(List<Long> arrivals) {
        return arrivals.stream()
                .map(due -> script.next(SearchName.HAWAT1, due, Long.MAX_VALUE).lastRowNanos() - due)
                .toList();
    }
}
