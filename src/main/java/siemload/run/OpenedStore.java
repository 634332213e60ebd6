package siemload.run;

import java.time.Duration;
import java.util.List;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.DatasetKey;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.scenario.DrawRule;
import siemload.scenario.SearchDraw;

/**
 * A server with a data set for as long as something beside the runs is measured on it, in this process or in others. Immutable.
 *
 * @param address of the server
 * @param store the kept data set, which is only read
 */
public record OpenedStore(RunPlan plan, ServerAddress address, Store store, ValuePools pools) {

    /** Does something with a store. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T with(OpenedStore store) throws E, InterruptedException;
    }

    /**
     * Opens the database and the data set of the settings, and gives all back after the work.
     *
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws TargetException if the database cannot be had, or the thread is interrupted
     */
    public static <T, E extends Exception> T during(RunHost host, Settings settings, Work<T, E> work) throws E {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(settings, host.home(), host::status);
            if (plan.asksExisting()) {
                throw new ConfigException(
                        settings.origin(Property.DATA), "this loads a data set of siemload's (allowed: dataset)");
            }
            ProvidedServer server = new ServerStart(host, plan, resources).start();
            TargetOptions options = new TargetOptions(plan.variant(), plan.searchTimeout(), plan.sessions());
            Target target = resources.add(plan.choice().plugin().connect(server.address(), options));
            DatasetKey key = DatasetKeys.of(plan, target.version());
            ValuePools pools = new DatasetLoading(host, plan).load(target, key, server);
            Store store = resources.add(
                    target.read(key, "plain-" + ProcessHandle.current().pid()));
            return work.with(new OpenedStore(plan, server.address(), store, pools));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted");
        }
    }

    /** Searches over the last days of the data set, with one row where they list events. */
    public List<Search> overDays(int days, List<SearchName> names) {
        SearchDraw draw = plan.searchDraw(pools);
        Window window = Window.last(Duration.ofDays(days), plan.source().until());
        SeededRandom random = SeededRandom.of(plan.settings().value(Property.SEED), 0);
        return names.stream()
                .map(name -> draw.search(
                        name,
                        new DrawRule(Popularity.HOT, 1, random),
                        window,
                        Order.NEWEST_FIRST,
                        new Page.Numbered(1, 1)))
                .toList();
    }
}
