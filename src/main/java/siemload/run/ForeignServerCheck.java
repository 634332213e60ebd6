package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.database.FirstNames;
import siemload.database.Provision;
import siemload.database.ServerUse;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.provision.ProvidedServer;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.query.Statement;
import siemload.run.Bench.Opening;
import siemload.run.DatasetLoading.StoredCopies;
import siemload.scenario.StatementPlan;

/**
 * Care with a server that siemload did not start: before anything is written there people are told what will be, and a run
 * that would fill its disk, or take it away from those who need it, does not begin.
 */
public record ForeignServerCheck(RunHost host, RunPlan plan) {
    private static final int SHOWN = 5;
    private static final long MEGABYTE = 1 << 20;
    private static final int SHOWN_CHARACTERS = 100;
    /** Behind a url on which somebody has let siemload write into data that were there before. */
    private static final String WRITING = " (writing)";

    /**
     * Connects, as a run will, to the server of a run that is to be made later, and looks at all that the run will need there.
     * Nothing is made; other servers than those that run already are not started.
     *
     * @param problems takes each thing that is wrong: a {@link ConfigException}, or a {@link TargetException}
     */
    public static void before(RunHost host, RunPlan plan, Consumer<RuntimeException> problems) {
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return;
        }
        ForeignServerCheck check = new ForeignServerCheck(host, plan);
        try (Resources resources = new Resources()) {
            Opening opening = new Opening(host, plan, resources);
            ProvidedServer server = opening.server();
            CacheKeeper.require(plan.caches(), server.caches());
            if (plan.asksExisting()) {
                opening.checkExisting(server, check, problems);
            } else {
                Target target = opening.connect(server, plan.sessions());
                check.take(target, server.address().url());
            }
        } catch (ConfigException | TargetException wrong) {
            problems.accept(wrong);
        } finally {
            host.status("");
        }
    }

    /**
     * Looks at the server, and says what is about to happen.
     *
     * @throws ConfigException if others are using it
     * @throws TargetException if the data set does not fit
     */
    void take(Target target, String url) {
        take(target, DatasetLoading.key(plan, target), url);
    }

    /** The same for events that are loaded by a key of their own. */
    void take(Target target, DatasetKey key, String url) {
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return;
        }
        host.status("looking at who uses the server");
        target.use().ifPresent(use -> take(use, StoredCopies.of(plan, target, key), url));
        host.status("");
    }

    private void take(ServerUse use, StoredCopies copies, String url) {
        OptionalLong setup = plan.bytesOfSetup();
        long needed = setup.orElse(copies.number() * plan.bytesOfCopy());
        OptionalLong free = use.freeBytes().isPresent() ? use.freeBytes() : freeHere(use.directory(), url);
        host.line("siemload did not start this server. It makes there, and touches nothing else:");
        use.makes().forEach(thing -> host.line("  " + thing));
        host.line(String.format(
                Locale.ROOT,
                "  %s: about %,d MB; free: %s",
                setup.isPresent() ? "the tables of the scenario" : copies.words(),
                needed / MEGABYTE,
                free.isPresent()
                        ? String.format(Locale.ROOT, "%,d MB", free.getAsLong() / MEGABYTE)
                        : "unknown, the server does not tell"));
        host.line("  beside it: " + others(use));
        plan.readUrls().forEach(replica -> host.line("It searches, and makes nothing, at the replica " + replica));
        requireSpace(free, needed);
        Problems problems = new Problems();
        requireQuiet(use, problems);
        requireConsent(url, "", problems);
        plan.readUrls().forEach(replica -> requireConsent(replica, "", problems));
        problems.throwIfAny();
    }

    /** Nothing is made: what is asked of the server is said, what is written there, and how much of it at a time. */
    void takeExisting(Target target, String url) {
        host.status("looking at who uses the server");
        Optional<ServerUse> use = target.use();
        host.status("");
        List<Statement> writing = plan.scenario().statements().stream()
                .map(StatementPlan::statement)
                .filter(Statement::writes)
                .toList();
        boolean writes = !writing.isEmpty();
        host.line("siemload did not start this server. At " + url + " it makes nothing"
                + (writes ? ", but IT WRITES, and what it writes stays:" : " and writes nothing. It asks:"));
        if (writes) {
            writing.forEach(statement -> host.line("  " + beginning(statement)));
            host.line("It asks:");
        }
        host.line("  " + String.join(", ", asked()));
        host.line(String.format(
                Locale.ROOT,
                "  at most %,d at a time over as many connections, each %s, each given up after %s",
                plan.workers(),
                writes ? "in a transaction of its own, which can only read unless it stands above" : target.kept(),
                Durations.format(plan.searchTimeout())));
        Problems problems = new Problems();
        use.ifPresent(seen -> {
            host.line("  beside it: " + others(seen));
            requireQuiet(seen, problems);
        });
        requireConsent(url, writes ? WRITING : "", problems);
        problems.throwIfAny();
    }

    /** Its name, and its text as far as a line has room for it. */
    private static String beginning(Statement statement) {
        String text =
                statement.text().written().replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return statement.name().name() + ": "
                + (text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text);
    }

    private List<String> asked() {
        return plan.asksStatements()
                ? plan.scenario().statements().stream()
                        .map(planned -> planned.statement().name().name())
                        .toList()
                : plan.searches();
    }

    private OptionalLong freeHere(String directory, String url) {
        if (directory.isEmpty() || !ServerHost.isHere(url, plan.choice().plugin())) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Files.getFileStore(Path.of(directory)).getUsableSpace());
        } catch (IOException unseen) {
            return OptionalLong.empty();
        }
    }

    private static String others(ServerUse use) {
        String who = use.others().isEmpty() ? "nobody else is connected" : FirstNames.of(use.others(), SHOWN);
        return who
                + String.format(Locale.ROOT, "; %.1f at work at a time, %.0f/s ended", use.working(), use.perSecond())
                + (use.gaps().isEmpty() ? "" : "; not visible to this user: " + String.join(", ", use.gaps()));
    }

    private void requireSpace(OptionalLong free, long needed) {
        if (free.isPresent() && free.getAsLong() < needed) {
            throw new TargetException(String.format(
                    Locale.ROOT,
                    "the server has %,d MB free, but this run needs about %,d MB there (take a smaller data set, or make"
                            + " room)",
                    free.getAsLong() / MEGABYTE,
                    needed / MEGABYTE));
        }
    }

    private void requireQuiet(ServerUse use, Problems problems) {
        if (use.isBusy() && !plan.settings().value(Property.ALLOW_BUSY_SERVER)) {
            problems.add(
                    plan.settings().origin(Property.URL),
                    String.format(
                            Locale.ROOT,
                            "others are using this server: %.1f of their sessions at work at a time, %.0f transactions or"
                                    + " operations/s. A run would slow them down, and they would spoil its numbers (take"
                                    + " another server or another hour; -DallowBusyServer=true goes on all the same)",
                            use.working(),
                            use.perSecond()));
        }
    }

    /**
     * Whoever mistypes a url, or takes over somebody else's settings, is asked before anything happens there. Where siemload was let run
     * before stands in a file of the cache: a line for each user and url, which holds no password.
     *
     * @param more than is known of the url: whoever has read there may not want to write
     */
    private void requireConsent(String url, String more, Problems problems) {
        Path file = plan.cache().resolve("known-servers.txt");
        String known = plan.settings().credentials().user().orElse("") + " " + url + more;
        try {
            if (Files.exists(file) && Files.readAllLines(file).contains(known)) {
                return;
            }
            if (!plan.settings().value(Property.YES)) {
                problems.add(
                        plan.settings().origin(Property.URL),
                        "siemload has not " + (more.isEmpty() ? "run on" : "written on")
                                + " this server before (what it will do there stands above; if that is meant, add"
                                + " -Dyes=true: later runs on it need it no more)");
            } else if (problems.isEmpty()) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.write(file, List.of(known), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException("cannot be read or written: " + file, unusable);
        }
    }

    /** Where the processes of a run's server are. */
    static final class ServerHost {
        private ServerHost() {}

        /** Where the processes of several servers are. */
        static DatabaseProcesses processes(List<ProvidedServer> servers, TargetPlugin plugin) {
            return DatabaseProcesses.of(
                    servers.stream().map(server -> processes(server, plugin)).toList());
        }

        /** Where the processes of a server are, of which it may be known how their names begin. */
        static DatabaseProcesses processes(ProvidedServer server, TargetPlugin plugin) {
            if (server.process().get().isPresent()) {
                return new DatabaseProcesses.Tree(server.process());
            }
            List<String> names = plugin.product().processNames();
            if (names.isEmpty()) {
                return new DatabaseProcesses.Here();
            }
            return isHere(server.address().url(), plugin)
                    ? new DatabaseProcesses.Named(names)
                    : new DatabaseProcesses.Elsewhere();
        }

        /** Whether a url leads to this machine. */
        static boolean isHere(String url, TargetPlugin plugin) {
            return plugin.host(url).filter(ServerHost::isThisMachine).isPresent();
        }

        private static boolean isThisMachine(String host) {
            try {
                InetAddress address = InetAddress.getByName(host.replaceAll("[\\[\\]]", ""));
                return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
            } catch (IOException unknown) {
                return false;
            }
        }
    }
}
