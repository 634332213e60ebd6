package siemload.run;

import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Provision;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.provision.ProvidedServer;
import siemload.run.ExistingDatabase.ServerStart;

/** A data set that is loaded without a run. Stateless. */
public final class KeptDataset {
    private KeptDataset() {}

    /**
     * Loads the data set of the settings and keeps it for later runs.
     *
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws siemload.database.TargetException if the database cannot be had
     */
    public static void load(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            if (plan.asksExisting()) {
                throw new ConfigException(
                        plan.settings().origin(Property.DATA), "existing data are there already: nothing is loaded");
            }
            plan.source().warnings().forEach(host::line);
            requireLasting(plan);
            ProvidedServer server = new ServerStart(host, plan, resources).start();
            Target target = RunSetup.connect(host, plan, server, RunPlan.OTHER_CONNECTIONS, resources);
            DatasetKey key = DatasetKeys.of(plan, target.version());
            new ForeignServerCheck(host, plan)
                    .take(target, key, server.address().url());
            if (target.holds(key) && !plan.settings().value(Property.RELOAD)) {
                host.line(key.label() + ": already loaded (-Dreload=true loads it anew)");
            } else {
                new DatasetLoading(host, plan).load(target, key, server);
            }
        }
    }

    /** A data set loaded into a container that is removed at once is of no use. */
    private static void requireLasting(RunPlan plan) {
        if (plan.choice().provision() == Provision.CONTAINER) {
            throw new ConfigException(
                    plan.settings().setting(Property.PROVISION).orElseThrow().origin(),
                    "a data set loaded into a container is gone with it (load it into another server)");
        }
    }
}
