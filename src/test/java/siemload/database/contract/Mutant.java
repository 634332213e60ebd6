package siemload.database.contract;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import siemload.database.Abilities;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.EventSink;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.memory.MemoryPlugin;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Window;

/** The reference with one fault, to see that the contract notices it. */
final class Mutant implements TargetPlugin {
    private final TargetPlugin healthy = new MemoryPlugin();
    private final Fault fault;

    Mutant(Fault fault) {
        this.fault = fault;
    }

    /** What is wrong with it. */
    enum Fault {
        DROPS_A_ROW {
            @Override
            void change(List<Kept> rows) {
                if (rows.size() > 1) {
                    rows.remove(rows.size() / 2);
                }
            }
        },
        SWAPS_TWO_ROWS {
            @Override
            void change(List<Kept> rows) {
                if (rows.size() > 1) {
                    Collections.swap(rows, rows.size() - 1, rows.size() - 2);
                }
            }
        },
        REPEATS_A_ROW {
            @Override
            void change(List<Kept> rows) {
                if (rows.size() > 1) {
                    rows.set(1, rows.get(0));
                }
            }
        },
        IGNORES_THE_END_OF_THE_WINDOW {
            @Override
            Search change(Search search) {
                return in(search, new Window(search.window().from(), Window.ALWAYS.until()));
            }
        },
        INCLUDES_THE_END_OF_THE_WINDOW {
            @Override
            Search change(Search search) {
                Window window = search.window();
                return window.isAlways()
                        ? search
                        : in(search, new Window(window.from(), window.until().plusNanos(1_000)));
            }
        },
        FORGETS_A_CONDITION {
            @Override
            Search change(Search search) {
                int fewer = Math.max(0, search.criteria().size() - 1);
                return new Search(
                        search.name(),
                        search.window(),
                        search.criteria().subList(0, fewer),
                        search.order(),
                        search.page());
            }
        },
        READS_ONE_ROW_TOO_FEW {
            @Override
            Search change(Search search) {
                boolean cut = search.page() instanceof Page.Numbered page && page.size() > 1 && page.number() == 1;
                return cut ? search.with(new Page.Numbered(((Page.Numbered) search.page()).size() - 1, 1)) : search;
            }
        },
        COUNTS_ONE_TOO_MANY {
            @Override
            long change(long count) {
                return count + 1;
            }
        },
        STORES_ONLY_THE_FIRST_OF_A_BATCH,
        LOSES_THE_LEAST_FREQUENT_VALUE;

        void change(List<Kept> rows) {}

        Search change(Search search) {
            return search;
        }

        long change(long count) {
            return count;
        }

        private static Search in(Search search, Window window) {
            return new Search(search.name(), window, search.criteria(), search.order(), search.page());
        }
    }

    /** A row that outlives its session's call. */
    record Kept(String id, java.time.Instant detectTime, byte[] idea) implements RowReader.Row {}

    @Override
    public String id() {
        return "mutant";
    }

    @Override
    public String name() {
        return healthy.name();
    }

    @Override
    public Set<String> driverJars() {
        return healthy.driverJars();
    }

    @Override
    public String title() {
        return fault.name();
    }

    @Override
    public Abilities abilities() {
        return healthy.abilities();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return healthy.startEmbedded(options);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new MutantTarget(healthy.connect(address, options), fault);
    }

    private record MutantTarget(Target healthy, Fault fault) implements Target {
        @Override
        public String version() {
            return healthy.version();
        }

        @Override
        public Transport transport() {
            return healthy.transport();
        }

        @Override
        public SortedMap<String, String> settings() {
            return healthy.settings();
        }

        @Override
        public boolean holds(DatasetKey key) {
            return healthy.holds(key);
        }

        @Override
        public DatasetLoad load(DatasetKey key) {
            return healthy.load(key);
        }

        @Override
        public Store copy(DatasetKey key, String runId) {
            return new MutantStore(healthy.copy(key, runId), fault);
        }

        @Override
        public void close() {
            healthy.close();
        }
    }

    private record MutantStore(Store healthy, Fault fault) implements Store {
        @Override
        public SearchSession openSession() {
            return new MutantSession(healthy.openSession(), fault);
        }

        @Override
        public EventSink openSink() {
            EventSink sink = healthy.openSink();
            if (fault != Fault.STORES_ONLY_THE_FIRST_OF_A_BATCH) {
                return sink;
            }
            return new EventSink() {
                @Override
                public long write(List<siemload.event.SecurityEvent> batch) {
                    return sink.write(batch.subList(0, Math.min(1, batch.size())));
                }

                @Override
                public void close() {
                    sink.close();
                }
            };
        }

        @Override
        public long events() {
            return healthy.events();
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return healthy.presenceOf(ids);
        }

        @Override
        public void close() {
            healthy.close();
        }
    }

    private record MutantSession(SearchSession healthy, Fault fault) implements SearchSession {
        @Override
        public long search(Search search, RowReader rows) {
            List<Kept> kept = new ArrayList<>();
            healthy.search(fault.change(search), row -> kept.add(new Kept(row.id(), row.detectTime(), row.idea())));
            fault.change(kept);
            kept.forEach(rows::row);
            return kept.size();
        }

        @Override
        public long count(Search search) {
            return fault.change(healthy.count(fault.change(search)));
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            List<Summary.Line> lines = healthy.summarize(search, summary);
            boolean loses = fault == Fault.LOSES_THE_LEAST_FREQUENT_VALUE && !lines.isEmpty();
            return loses ? lines.subList(0, lines.size() - 1) : lines;
        }

        @Override
        public ResultCursor open(Search search) {
            return healthy.open(search);
        }

        @Override
        public Plan explain(Search search) {
            return healthy.explain(search);
        }

        @Override
        public Plan explain(Search search, Summary summary) {
            return healthy.explain(search, summary);
        }

        @Override
        public void cancel() {
            healthy.cancel();
        }

        @Override
        public void close() {
            healthy.close();
        }
    }
}
