package siemload.database.server;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import siemload.database.ServerUse.Question;
import siemload.database.Store;
import siemload.database.Target.TargetOptions;
import siemload.database.registry.Entry;
import siemload.database.registry.Registry;

/**
 * A server on which each data set and each run has {@link Documents} with a name, such as a collection or an index: {@code
 * siemload_data_<fingerprint>_<random>} or {@code siemload_run_<run id>_<random>}, and {@code siemload_registry}, which knows whose they
 * are. They are the very ones that an entry tells of if the server still has them under the UUID that it gave them. What a database does
 * in its own words may throw its client's own errors.
 *
 * @param <E> what its client throws
 */
public abstract class NamedServer<E extends RuntimeException> extends ServerTarget {
    /** How all names begin that siemload gives. */
    protected static final String OURS = "siemload_";
    /** Where the registry is. */
    protected static final String REGISTRY = OURS + "registry";

    /** All names that siemload gives; nothing else is dropped, whatever stands in the registry. */
    private static final Pattern GIVEN = Pattern.compile(OURS + "(?:data|run)_[a-z0-9-]*_[0-9a-f]{8}");

    private final ServerErrors<E> errors;
    private final String article;
    private final String thing;
    private final TargetOptions options;

    /** @param thing what it has one of for each, for people: {@code collection} */
    protected NamedServer(ServerErrors<E> errors, String article, String thing, TargetOptions options) {
        this.errors = errors;
        this.article = article;
        this.thing = thing;
        this.options = options;
    }

    final ServerErrors<E> errors() {
        return errors;
    }

    /** How the run uses it. */
    public final TargetOptions options() {
        return options;
    }

    /** What it has one of for each data set and run, with its name, for people. */
    final String named(String name) {
        return "the " + thing + " " + name;
    }

    /** The documents of this name, by the client for what happens outside runs. */
    @Override
    protected abstract Documents<E> tables(String name);

    /** The same by a client of a run's own. */
    protected abstract Documents<E> searched(String name);

    /** The UUID of the thing of this name; empty where there is none. */
    protected abstract Optional<String> identity(String name);

    /** Whether the server goes on to make it, for a process that may have been killed. */
    protected abstract boolean isBeingMade(String name);

    /** Whether somebody would make it anew by writing into it; one's own sessions may be waited for. */
    protected boolean isBeingWritten(String name, Registry.Sessions sessions) {
        return false;
    }

    /** Drops it, be it there or not. */
    protected abstract void drop(String name);

    /** The server's time, in milliseconds; asked by any thread. */
    protected abstract Instant time();

    /** Who is logged in; empty where the server asks nobody who they are. */
    protected abstract String user();

    /** The values of all that lies in the registry, by its name there; texts, and whole numbers. */
    protected abstract Map<String, Map<String, Object>> registered();

    /** Adds to the registry, which is made where it is not there. @return whether the name was free */
    protected abstract boolean register(String name, Map<String, Object> values);

    /**
     * Changes what lies in the registry, or removes it, in one step.
     *
     * @param beat the one that it must have still
     * @param values empty for its removal
     * @return whether it was still there, with that beat
     */
    protected abstract boolean change(String name, long beat, Optional<Map<String, Object>> values);

    @Override
    protected final Store openStore(RunCopy copy) {
        return searched(copy.name()).opened(copy);
    }

    /** Opens documents that were there before. */
    protected final Store openExisting(String name) {
        return searched(name).opened(RunCopy.existing(name));
    }

    /**
     * A question of who looks at the use of the server.
     *
     * @param tried as for {@link ServerErrors#trying}
     * @param otherwise as of {@link Question}
     * @param gap as of {@link Question}
     */
    protected final <T> Question<T> question(String tried, Supplier<T> answer, T otherwise, String gap) {
        return new Question<>(() -> errors.trying(tried, answer), otherwise, gap);
    }

    /**
     * What a run makes, for people.
     *
     * @param where what is said of the place of a data set, with a blank before it
     */
    protected final List<String> makes(String where) {
        return List.of(
                article + thing + " siemload_data_... for the data set" + where + ", kept for later runs",
                article + thing + " siemload_run_..., a copy of it, dropped at the end",
                article + thing + " siemload_registry that lists what it has made, kept");
    }

    @Override
    protected final Registry.Server home() {
        return new Registered();
    }

    /**
     * What lies in the registry without being an entry of the user who is logged in is left alone. Another name than siemload gives is not
     * even asked for: it may be no part of a path, or more than one.
     */
    private final class Registered implements Registry.Server {
        private static final String OWNER = "owner";

        private final String owner = errors.trying("ask the server who is logged in", NamedServer.this::user);

        @Override
        public Instant now() {
            return errors.trying("ask the server for its time", NamedServer.this::time);
        }

        @Override
        public List<Entry> entries() {
            List<Entry> found = new ArrayList<>();
            errors.trying("read siemload's registry", NamedServer.this::registered)
                    .forEach((name, values) -> {
                        if (owner.equals(values.get(OWNER))) {
                            Entry.of(values)
                                    .filter(entry -> name(entry).equals(name))
                                    .ifPresent(found::add);
                        }
                    });
            return found;
        }

        @Override
        public boolean insert(Entry entry) {
            return written(() -> register(name(entry), values(entry)));
        }

        @Override
        public boolean replace(Entry entry, Entry changed) {
            return written(() -> change(name(entry), entry.beat(), Optional.of(values(changed))));
        }

        @Override
        public boolean delete(Entry entry) {
            return written(() -> change(name(entry), entry.beat(), Optional.empty()));
        }

        private boolean written(Supplier<Boolean> change) {
            return errors.trying("write into siemload's registry", change);
        }

        private String name(Entry entry) {
            return owner + "/" + entry.key();
        }

        private Map<String, Object> values(Entry entry) {
            Map<String, Object> values = new LinkedHashMap<>(entry.values());
            values.put(OWNER, owner);
            return values;
        }

        @Override
        public boolean isThere(Entry entry) {
            return isOurs(entry)
                    && !entry.identity().isEmpty()
                    && found(entry.name()).filter(entry.identity()::equals).isPresent();
        }

        private boolean isOurs(Entry entry) {
            return GIVEN.matcher(entry.name()).matches();
        }

        private Optional<String> found(String name) {
            return errors.trying("look for " + named(name), () -> identity(name));
        }

        /** Searches make no difference: whoever is searching it gets an error. */
        @Override
        public boolean drop(Entry entry, Registry.Sessions sessions) {
            if (!isOurs(entry)) {
                return true;
            }
            String name = entry.name();
            Optional<String> identity = found(name);
            return errors.trying("drop " + named(name), () -> {
                if (identity.isEmpty()) {
                    return !(entry.identity().isEmpty() && isBeingMade(name));
                } else if (!entry.identity().isEmpty()
                        && !identity.orElseThrow().equals(entry.identity())) {
                    return true;
                } else if (isBeingWritten(name, sessions)) {
                    return false;
                }
                NamedServer.this.drop(name);
                return true;
            });
        }
    }
}
