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
     * @param problems takes what is wrong: a {@link ConfigException}, or a {@link TargetException}
     */
    public static void before(RunHost host, RunPlan plan, Consumer<RuntimeException> problems) {
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return;
        }
        try (Resources resources = new Resources()) {
            Opening opening = new Opening(host, plan, resources);
            ProvidedServer server = opening.server();
            CacheKeeper.require(plan.caches(), server);
            if (plan.asksStatements()) {
                var unused = opening.existing(server);
            } else {
                opening.look(opening.connect(server, plan.sessions()), server);
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
        if (plan.asksExisting()) {
            takeExisting(target, url);
        } else {
            take(target, DatasetLoading.key(plan, target), url);
        }
    }

    /** The same for events that are loaded by a key of their own on a server that siemload did not start. */
    void take(Target target, DatasetKey key, String url) {
        boolean external = plan.choice().provision() == Provision.EXTERNAL;
        Optional<ServerUse> seen = external ? use(target) : Optional.empty();
        if (seen.isEmpty()) {
            return;
        }
        ServerUse use = seen.orElseThrow();
        Optional<Long> setup = plan.bytesOfSetup();
        long needed = setup.orElse(DatasetLoading.copies(plan, target, key) * plan.bytesOfCopy()) / MEGABYTE;
        OptionalLong free = use.freeBytes().isPresent() ? use.freeBytes() : freeHere(use.directory(), url);
        String room = free.isPresent() ? megabytes(free.getAsLong() / MEGABYTE) : "unknown, the server does not tell";
        String what = setup.isPresent() ? "the tables of the scenario" : "the events of the run";
        host.line("siemload did not start this server. It makes there, and touches nothing else:");
        use.makes().forEach(thing -> host.line("  " + thing));
        host.line("  " + what + ": about " + megabytes(needed) + "; free: " + room);
        host.line("  beside it: " + others(use));
        plan.readUrls().forEach(replica -> host.line("It searches, and makes nothing, at the replica " + replica));
        if (free.isPresent() && free.getAsLong() / MEGABYTE < needed) {
            throw new TargetException("the server has " + room + " free, but this run needs about " + megabytes(needed)
                    + " there (take a smaller data set, or make room)");
        }
        Problems problems = new Problems();
        requireQuiet(use, problems);
        requireConsent(url, "", problems);
        plan.readUrls().forEach(replica -> requireConsent(replica, "", problems));
        problems.throwIfAny();
    }

    private static String megabytes(long count) {
        return String.format(Locale.ROOT, "%,d MB", count);
    }

    private Optional<ServerUse> use(Target target) {
        host.status("looking at who uses the server");
        Optional<ServerUse> use = target.use();
        host.status("");
        return use;
    }

    /** Nothing is made: what is asked of the server is said, what is written there, and how much of it at a time. */
    private void takeExisting(Target target, String url) {
        Optional<ServerUse> use = use(target);
        List<Statement> statements = plan.scenario().statements().stream()
                .map(StatementPlan::statement)
                .toList();
        List<Statement> writing = statements.stream().filter(Statement::writes).toList();
        boolean writes = !writing.isEmpty();
        List<String> asked = plan.asksStatements()
                ? statements.stream().map(statement -> statement.name().name()).toList()
                : plan.searches();
        host.line("siemload did not start this server. At " + url + " it makes nothing"
                + (writes ? ", but IT WRITES, and what it writes stays:" : " and writes nothing. It asks:"));
        if (writes) {
            writing.forEach(statement -> host.line("  " + beginning(statement)));
            host.line("It asks:");
        }
        host.line("  " + String.join(", ", asked));
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

    private void requireQuiet(ServerUse use, Problems problems) {
        if (use.isBusy() && !plan.settings().value(Property.ALLOW_BUSY_SERVER)) {
            String why = String.format(
                    Locale.ROOT,
                    "others are using this server: %.1f of their sessions at work at a time, %.0f/s ended. A run would"
                            + " slow them down, and they would spoil its numbers (take another server or another hour;"
                            + " -DallowBusyServer=true goes on all the same)",
                    use.working(),
                    use.perSecond());
            problems.add(plan.settings().origin(Property.URL), why);
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

        /** Where the processes of a server are, of which it may be known how their names begin. */
        static DatabaseProcesses processes(ProvidedServer server, TargetPlugin plugin) {
            if (server.server().process().isPresent()) {
                return new DatabaseProcesses.Tree(server.server()::process);
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
