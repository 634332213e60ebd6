package siemload.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Variant;
import siemload.results.RunListener;
import siemload.results.live.LiveServer;
import siemload.results.live.RunDescription;

/** Lets people and Prometheus watch a run, where the settings ask for it. */
final class LiveView {
    private LiveView() {}

    /**
     * Starts to serve, before anything is loaded; it ends with the run.
     *
     * @return hears what the run writes
     * @throws ConfigException if the address cannot be had
     */
    static RunListener start(RunHost host, RunPlan plan, RunDirectory directory, Resources resources) {
        if (!plan.settings().value(Property.LIVE)) {
            return RunListener.NONE;
        }
        InetSocketAddress address = plan.settings().value(Property.LIVE_ADDRESS);
        try {
            LiveServer server = resources.add(LiveServer.start(address, description(plan, directory)));
            host.line("live: " + server.url());
            return server.listener();
        } catch (IOException taken) {
            throw new ConfigException(
                    plan.settings().origin(Property.LIVE_ADDRESS),
                    "the live view cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                            + taken.getMessage() + " (choose another with -DliveAddress=host:port, port 0 for any free"
                            + " one)");
        }
    }

    private static RunDescription description(RunPlan plan, RunDirectory directory) {
        Variant variant = plan.variant();
        String target = plan.choice().plugin().id();
        String sentence = String.format(
                Locale.ROOT,
                "%s searches %,d events of %s on %s (layout %s, indexes %s, hint %s, paging %s)",
                plan.scenario().name(),
                plan.source().count(),
                plan.source().name(),
                target,
                variant.layout(),
                variant.indexes().label(),
                variant.hint().label(),
                variant.paging().label());
        return new RunDescription(
                directory.runId(),
                sentence,
                Map.of(
                        "run_id",
                        directory.runId(),
                        "scenario",
                        plan.scenario().name(),
                        "dataset",
                        plan.source().name(),
                        "target",
                        target,
                        "layout",
                        variant.layout(),
                        "indexes",
                        variant.indexes().label(),
                        "hint",
                        variant.hint().label(),
                        "paging",
                        variant.paging().label()));
    }
}
