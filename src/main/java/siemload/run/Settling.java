package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.config.Property;
import siemload.database.Maintenance;
import siemload.database.TargetException;
import siemload.measure.monitor.QuietHost;

/**
 * Lets server and machine come to rest before a run measures, where the settings ask for it: a checkpoint, then two quiet
 * seconds. Used by one thread.
 */
final class Settling {
    private final RunSetup setup;
    private final boolean asked;
    private final List<String> notes = new ArrayList<>();

    Settling(RunSetup setup) {
        this.setup = setup;
        this.asked = setup.plan().settings().value(Property.SETTLE);
    }

    /** Writes what was changed to its place, so that the server does not do that while something is measured. */
    void checkpoint() {
        if (!asked) {
            return;
        }
        setup.host().status("waiting for a checkpoint");
        Optional<Maintenance> maintenance = setup.store().maintenance();
        if (maintenance.isEmpty()) {
            notes.add("settled without a checkpoint: "
                    + (setup.plan().asksExisting()
                            ? "of a database that is there already siemload demands none"
                            : setup.plan().choice().plugin().name() + " has none"));
        }
        maintenance.ifPresent(store -> {
            try {
                store.checkpoint();
                notes.add("settled by a checkpoint");
            } catch (TargetException refused) {
                notes.add("settled without a checkpoint: " + refused.getMessage());
            }
        });
        setup.host().status("");
    }

    /** Waits for a quiet machine. */
    void awaitQuiet() {
        if (!asked) {
            return;
        }
        QuietHost.Waited waited = QuietHost.await(setup.processes(), setup.host()::status);
        setup.host().status("");
        double seconds = waited.time().toMillis() / 1e3;
        notes.add(
                waited.quiet()
                        ? String.format(Locale.ROOT, "the machine was quiet after %.1f s of waiting", seconds)
                        : String.format(
                                Locale.ROOT,
                                "the machine was not quiet in %.1f s of waiting: others took %.0f %% of all CPUs at last",
                                seconds,
                                waited.busyRatio() * 100));
    }

    /** What was waited for, and what came of it. */
    List<String> notes() {
        return List.copyOf(notes);
    }
}
