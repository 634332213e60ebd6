package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.report.CapacityReports;
import siemload.compare.report.CapacityText;
import siemload.run.ExitCode;

/** Writes what the largest load is, and says it. Stateless. */
final class CapacityAnswer {
    private CapacityAnswer() {}

    /** Writes the reports beside {@code capacity.json}, and prints the answer. */
    static ExitCode write(ProcessHost host, Path directory) throws IOException {
        CapacityResult result = CapacityResult.FILE.read(directory);
        host.line("");
        CapacityText.of(result).forEach(host::line);
        host.line("results: " + CapacityResult.FILE.in(directory));
        CapacityReports.write(directory, result).forEach(report -> host.line("         " + report));
        return switch (result.outcome()) {
            case ANSWERED -> ExitCode.OK;
            case NONE_MEETS -> ExitCode.MISSED;
            case NOT_DECIDED -> ExitCode.INCONCLUSIVE;
        };
    }
}
