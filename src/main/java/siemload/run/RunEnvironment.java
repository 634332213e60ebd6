package siemload.run;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.database.Provision;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.measure.environment.EnvironmentRecord;
import siemload.measure.environment.MachineFacts;
import siemload.run.Bench.OtherServer;

/** Writes down what a run takes place on, before the load; machine, server, tables, scenario and data set. */
public final class RunEnvironment {
    /** Where things lie, and how they are told, makes no difference to what is measured. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            Property.RESULTS.name(),
            Property.CACHE.name(),
            Property.YES.name(),
            Property.DETAILS.name(),
            Property.VERBOSE.name(),
            Property.FAIL_ON.name());

    private RunEnvironment() {}

    static EnvironmentRecord of(Bench bench) {
        RunPlan plan = bench.plan();
        Map<String, Map<String, String>> sections = MachineFacts.describe(
                directories(plan, bench.server()), bench.host().home(), drivers());
        Map<String, String> database = database(plan, bench.server(), bench.target());
        bench.others().forEach(other -> describe(other, database));
        sections.put("database", database);
        sections.put("tables", tables(bench.store()));
        sections.put("scenario", scenario(plan));
        sections.put(
                "dataset", plan.asksStatements() ? Map.of("name", plan.source().name()) : dataset(plan.source()));
        return EnvironmentRecord.of(sections);
    }

    /** Of all databases: which of them are on the class path is part of what runs. */
    private static Set<String> drivers() {
        return TargetPlugin.all().stream()
                .flatMap(plugin -> plugin.product().driverJars().stream())
                .collect(Collectors.toSet());
    }

    private static Map<String, Path> directories(RunPlan plan, ProvidedServer server) {
        Path results = plan.settings().value(Property.RESULTS).toAbsolutePath();
        return server.provision() == Provision.EMBEDDED
                ? Map.of("results", results, "data", plan.cache())
                : Map.of("results", results);
    }

    private static Map<String, String> database(RunPlan plan, ProvidedServer server, Target target) {
        TargetPlugin plugin = plan.choice().plugin();
        Map<String, String> values = new TreeMap<>();
        values.put("target", plugin.id());
        values.put("version", target.version());
        values.put("provision", server.provision().label());
        server.container().forEach((name, value) -> values.put("container." + name, value));
        if (server.provision() == Provision.EXTERNAL) {
            values.put("url", server.address().url());
        }
        try {
            target.settings().forEach((name, value) -> values.put("setting." + name, value));
        } catch (TargetException unreadable) {
            values.put("settings", "could not be read: " + unreadable.getMessage());
        }
        return values;
    }

    private static void describe(OtherServer other, Map<String, String> values) {
        String name = "server-" + other.number();
        values.put(name + ".version", other.target().version());
        if (other.server().provision() == Provision.EXTERNAL) {
            values.put(name + ".url", other.server().address().url());
        }
    }

    /** Before the load, when equal data sets are equally large. */
    private static Map<String, String> tables(Store store) {
        Map<String, String> values = new TreeMap<>();
        try {
            store.relationBytes().forEach((relation, bytes) -> values.put(relation, Long.toString(bytes)));
        } catch (TargetException unreadable) {
            values.put("sizes", "could not be read: " + withoutNames(String.valueOf(unreadable.getMessage())));
        }
        return values;
    }

    /** Each run has tables of its own name, which is no difference between two. */
    private static String withoutNames(String message) {
        return message.replaceAll("siemload_run_[\\w.-]+", "siemload_run_...");
    }

    /** What a run asks and how, by the names of settings and of places in the file: what no run may differ in unless it is meant to. */
    public static Map<String, String> scenario(RunPlan plan) {
        Map<String, String> values = new TreeMap<>();
        for (Setting setting : plan.meaningfulSettings()) {
            if (!WITHOUT_EFFECT.contains(setting.name())) {
                values.put(setting.name(), setting.shown());
            }
        }
        plan.resolved().values().forEach(setting -> values.put(setting.name(), setting.value()));
        values.put("name", plan.scenario().name());
        values.put("description", plan.scenario().description());
        values.put("workers", Integer.toString(plan.workers()));
        values.putAll(plan.variantRecord().parts());
        return values;
    }

    private static Map<String, String> dataset(EventSource source) {
        return Map.of(
                "name", source.name(),
                "events", Long.toString(source.count()),
                "first", source.first().toString(),
                "until", source.until().toString(),
                "seed", Long.toString(source.seed()),
                "contents", source.fingerprint());
    }
}
