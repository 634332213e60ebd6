package siemload.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Locale;
import java.util.Map;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.results.RunWriter.RunListener;
import siemload.results.live.LiveServer;
import siemload.results.live.LiveServer.RunDescription;

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
            throw refused(plan, taken);
        }
    }

    /**
     * Begins nothing, but knows whether a run could now.
     *
     * @throws ConfigException if the address cannot be had
     */
    static void requireFree(RunPlan plan) {
        if (plan.settings().value(Property.LIVE)) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(plan.settings().value(Property.LIVE_ADDRESS));
            } catch (IOException taken) {
                throw refused(plan, taken);
            }
        }
    }

    private static ConfigException refused(RunPlan plan, IOException taken) {
        InetSocketAddress address = plan.settings().value(Property.LIVE_ADDRESS);
        return new ConfigException(
                plan.settings().origin(Property.LIVE_ADDRESS),
                "the live view cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                        + taken.getMessage() + " (choose another with -DliveAddress=host:port, port 0 for any free"
                        + " one)");
    }

    private static RunDescription description(RunPlan plan, RunDirectory directory) {
        String target = plan.choice().plugin().id();
        String sentence = String.format(
                Locale.ROOT,
                "%s searches %s on %s (%s)",
                plan.scenario().name(),
                plan.asksExisting()
                        ? plan.source().name()
                        : String.format(
                                Locale.ROOT,
                                "%,d events of %s",
                                plan.source().count(),
                                plan.source().name()),
                target,
                plan.variantRecord().label());
        Map<String, String> labels = plan.variantRecord().parts();
        labels.put("run_id", directory.runId());
        labels.put("scenario", plan.scenario().name());
        labels.put("dataset", plan.source().name());
        labels.put("target", target);
        return new RunDescription(directory.runId(), sentence, labels);
    }
}
