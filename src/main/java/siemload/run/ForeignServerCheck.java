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
import siemload.run.procedure.CacheKeeper;
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
     * Looks at a server that siemload did not start, and says what is about to happen there.
     *
     * @param loaded the key of what a run loads there; empty where it makes nothing, and asks data that are there already
     * @throws ConfigException if others are using it, or nobody has said that it is meant
     * @throws TargetException if the data set does not fit
     */
    void take(Target target, Optional<DatasetKey> loaded, String url) {
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return;
        }
        host.status("looking at who uses the server");
        Optional<ServerUse> use = target.use();
        host.status("");
        if (loaded.isEmpty()) {
            sayWhatIsAsked(target, url);
        } else if (use.isPresent()) {
            sayWhatIsMade(target, loaded.orElseThrow(), use.orElseThrow(), url);
        } else {
            return;
        }
        Problems problems = new Problems();
        use.ifPresent(seen -> requireQuiet(seen, problems));
        boolean writes = loaded.isEmpty() && !plan.scenario().writing().isEmpty();
        requireConsent(url, writes ? WRITING : "", problems);
        for (String replica : plan.readUrls()) {
            host.line("It searches, and makes nothing, at the replica " + replica);
            requireConsent(replica, "", problems);
        }
        problems.throwIfAny();
    }

    private void sayWhatIsMade(Target target, DatasetKey key, ServerUse use, String url) {
        long needed = DatasetLoading.bytesNeeded(plan, target, key) / MEGABYTE;
        OptionalLong free = use.freeBytes().isPresent() ? use.freeBytes() : freeHere(use.directory(), url);
        String room = free.isPresent() ? megabytes(free.getAsLong() / MEGABYTE) : "unknown, the server does not tell";
        String what = plan.bytesOfSetup().isPresent() ? "the tables of the scenario" : "the events of the run";
        host.line("siemload did not start this server. It makes there, and touches nothing else:");
        use.makes().forEach(thing -> host.line("  " + thing));
        host.line("  " + what + ": about " + megabytes(needed) + "; free: " + room);
        if (free.isPresent() && free.getAsLong() / MEGABYTE < needed) {
            throw new TargetException("the server has " + room + " free, but this run needs about " + megabytes(needed)
                    + " there (take a smaller data set, or make room)");
        }
    }

    private static String megabytes(long count) {
        return String.format(Locale.ROOT, "%,d MB", count);
    }

    private OptionalLong freeHere(String directory, String url) {
        try {
            return directory.isEmpty() || !ServerHost.isHere(url, plan.choice().plugin())
                    ? OptionalLong.empty()
                    : OptionalLong.of(Files.getFileStore(Path.of(directory)).getUsableSpace());
        } catch (IOException unseen) {
            return OptionalLong.empty();
        }
    }

    /** What is asked of the server, what is written there, and how much of it at a time. */
    private void sayWhatIsAsked(Target target, String url) {
        List<Statement> statements = plan.scenario().statements().stream()
                .map(StatementPlan::statement)
                .toList();
        boolean writes = !plan.scenario().writing().isEmpty();
        List<String> asked = plan.asksStatements()
                ? statements.stream().map(statement -> statement.name().name()).toList()
                : plan.searches();
        host.line("siemload did not start this server. At " + url + " it makes nothing"
                + (writes ? ", but IT WRITES, and what it writes stays:" : " and writes nothing. It asks:"));
        if (writes) {
            statements.stream().filter(Statement::writes).forEach(statement -> host.line("  " + beginning(statement)));
            host.line("It asks:");
        }
        host.line("  " + String.join(", ", asked));
        String kept =
                writes ? "in a transaction of its own, which can only read unless it stands above" : target.kept();
        String timeout = Durations.format(plan.searchTimeout());
        host.line(String.format(
                Locale.ROOT,
                "  at most %,d at a time over as many connections, each %s, each given up after %s",
                plan.workers(),
                kept,
                timeout));
    }

    /** Its name, and its text as far as a line has room for it. */
    private static String beginning(Statement statement) {
        String text =
                statement.text().written().replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return statement.name().name() + ": "
                + (text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text);
    }

    private void requireQuiet(ServerUse use, Problems problems) {
        String load = String.format(
                Locale.ROOT, "%.1f of their sessions at work at a time, %.0f/s ended", use.working(), use.perSecond());
        String who = use.others().isEmpty() ? "nobody else is connected" : FirstNames.of(use.others(), SHOWN);
        String gaps = use.gaps().isEmpty() ? "" : "; not visible to this user: " + String.join(", ", use.gaps());
        host.line("  beside it: " + who + "; " + load + gaps);
        if (use.isBusy() && !plan.settings().value(Property.ALLOW_BUSY_SERVER)) {
            String why = "others are using this server: " + load + ". A run would"
                    + " slow them down, and they would spoil its numbers (take another server or another hour;"
                    + " -DallowBusyServer=true goes on all the same)";
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
                String why = "siemload has not " + (more.isEmpty() ? "run on" : "written on")
                        + " this server before (what it will do there stands above; if that is meant, add -Dyes=true: later"
                        + " runs on it need it no more)";
                problems.add(plan.settings().origin(Property.URL), why);
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
