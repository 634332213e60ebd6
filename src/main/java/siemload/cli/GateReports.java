package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import siemload.experiment.GateFile;
import siemload.experiment.GateResult;

/** Writes what a gate decided, and says it. Stateless. */
final class GateReports {

    private GateReports() {}

    static void write(ProcessHost host, Path directory, GateResult result) throws IOException {
        Path file = directory.resolve(GateFile.NAME);
        GateFile.write(file, result);
        host.line("");
        host.line(headline(result));
        result.reasons().forEach(reason -> host.line("  " + reason));
        result.tolerated().forEach(change -> host.line("  meant: " + change.sentence()));
        host.line("results: " + file);
    }

    private static String headline(GateResult result) {
        String what = "gate " + result.name() + ": ";
        return switch (result.outcome()) {
            case PASSED ->
                what + "passed, no regression in " + result.verdicts().size() + " metrics over " + result.blocksValid()
                        + " pairs";
            case REGRESSION -> what + "REGRESSION";
            case HOST_TOO_NOISY -> what + "the host is too noisy to say";
            case INVALID -> what + "INVALID, the runs cannot be trusted";
        };
    }
}
