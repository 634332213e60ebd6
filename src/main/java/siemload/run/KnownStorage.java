package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import siemload.config.Property;
import siemload.config.directory.Reason;
import siemload.database.Provision;
import siemload.database.provision.ProvidedServer;
import siemload.measure.environment.DiskFacts;
import siemload.measure.storage.KeptStorage;
import siemload.results.RunFile;
import siemload.results.StorageFile;
import siemload.results.StorageResult;

/**
 * Copies into the directory of a run what the disk of its data can do, where somebody measured it before. It is no part of the
 * environment: a run on the same disk is the same run, whether that was measured or not.
 */
final class KnownStorage {
    private KnownStorage() {}

    /** Of an embedded server; where others keep their data, nobody here knows. */
    static void copy(RunHost host, RunPlan plan, ProvidedServer server, Path directory) {
        if (server.provision() != Provision.EMBEDDED) {
            return;
        }
        Path results = plan.settings().value(Property.RESULTS).toAbsolutePath();
        new KeptStorage(results, plan.cache())
                .newest(DiskFacts.of(plan.cache()), reason -> leaveOut(host, reason))
                .ifPresent(result -> write(host, RunFile.STORAGE.in(directory), result));
    }

    private static void write(RunHost host, Path file, StorageResult result) {
        try {
            StorageFile.write(file, result);
        } catch (IOException unwritable) {
            leaveOut(host, Reason.of(unwritable));
        }
    }

    private static void leaveOut(RunHost host, String reason) {
        host.line("warning: left out what the disk can do: " + reason);
    }
}
