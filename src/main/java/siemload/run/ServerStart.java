package siemload.run;

import java.nio.file.Path;
import java.util.Optional;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.EmbeddedOptions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.provision.ContainerRequest;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.Provisioner;

/** Gets the server that the settings of a run ask for. Used by one thread. */
record ServerStart(RunHost host, RunPlan plan, Resources resources) {

    /** Returns when the server is ready; the resources give it back. */
    ProvidedServer start() {
        TargetPlugin plugin = plan.choice().plugin();
        Settings settings = plan.settings();
        CacheDirectory.prepare(plan);
        boolean isThere = plan.choice().provision() == Provision.EXTERNAL;
        host.status((isThere ? "connecting to " : "starting ") + plugin.id());
        return switch (plan.choice().provision()) {
            case EMBEDDED -> embedded(plan.cache());
            case EXTERNAL -> {
                settings.notes().forEach(host::line);
                yield external(settings.value(Property.URL));
            }
            case CONTAINER ->
                resources
                        .add(Provisioner.container(plugin, containerRequest(), host))
                        .start();
        };
    }

    /**
     * Another embedded server beside the first one, with a directory of its own.
     *
     * @param number 2 for the first beside it
     */
    ProvidedServer startOther(int number) {
        host.status("starting " + plan.choice().plugin().id() + " " + number);
        return embedded(plan.cache().resolve("server-" + number));
    }

    private ProvidedServer embedded(Path directory) {
        new DiskSpace(plan).requireForServer();
        EmbeddedOptions options = new EmbeddedOptions(directory, plan.sessions(), plan.parameters());
        return resources.open(() -> Provisioner.embedded(plan.choice().plugin(), options, host));
    }

    private ProvidedServer external(String url) {
        Settings settings = plan.settings();
        return resources.add(
                Provisioner.external(url, settings.credentials(url), settings.find(Property.CACHE_COMMAND)));
    }

    private ContainerRequest containerRequest() {
        Settings settings = plan.settings();
        Optional<String> image = settings.find(Property.IMAGE);
        return new ContainerRequest(
                image,
                settings.value(Property.CONTAINER_MEMORY),
                settings.value(Property.CONTAINER_CPUS),
                plan.sessions(),
                plan.parameters());
    }
}
