package siemload.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import siemload.compare.experiment.Comparer;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.History;
import siemload.compare.experiment.History.HistoryEntry;
import siemload.compare.experiment.Ledger;
import siemload.compare.experiment.ResultFile;
import siemload.compare.report.ComparisonReports;
import siemload.results.report.ExampleRun;
import siemload.results.report.RunReports;

/** What reads results, with the files that it reads. */
enum ResultReader {
    /** {@code ./siemload report}. */
    REPORT {
        @Override
        void prepare(Path directory) throws IOException {
            ExampleRun.copyWithShortLogsTo(directory);
        }

        @Override
        void read(Path directory) throws IOException {
            RunReports.write(directory.resolve("busy"));
        }
    },

    /** {@code ./siemload compare}. */
    COMPARE {
        @Override
        void prepare(Path directory) throws IOException {
            ExampleExperiment.write(directory);
        }

        @Override
        void read(Path directory) throws IOException {
            for (OtherDifferences others : OtherDifferences.values()) {
                Comparison comparison = Comparer.compare(directory, others);
                ResultFile.COMPARISON.write(directory, comparison);
                ComparisonReports.text(comparison);
                ComparisonReports.write(directory, ResultFile.COMPARISON.read(directory));
            }
        }
    },

    /** {@code ./siemload history} of a gate and a run. */
    NIGHTS {
        @Override
        void prepare(Path directory) throws IOException {
            Path experiment = directory.resolve("experiment");
            ExampleExperiment.write(experiment);
            Comparison comparison = Comparer.compare(experiment, OtherDifferences.WITHHOLD);
            Files.createDirectory(directory.resolve("gate"));
            ResultFile.GATE.write(directory.resolve("gate"), ExampleExperiment.gate(comparison));
            ExampleRun.copyWithShortLogsTo(directory.resolve("run"));
        }

        @Override
        void read(Path directory) throws IOException {
            for (String results : List.of("gate", "run/busy")) {
                HistoryEntry night = HistoryEntry.read(directory.resolve(results));
                Files.writeString(
                        directory.resolve("history.html"), ComparisonReports.history(new History(List.of(night))));
            }
        }
    },

    /** {@code ./siemload experiment}, which goes on with one that was begun. */
    RESUME {
        @Override
        void prepare(Path directory) throws IOException {
            ExampleExperiment.write(directory.resolve("begun"));
        }

        @Override
        void read(Path directory) throws IOException {
            Ledger.findUnfinished(directory, ExampleExperiment.EXPERIMENT);
            try (Ledger ledger = new Ledger(directory.resolve("begun"), ExampleExperiment.EXPERIMENT)) {
                ledger.missing();
            }
        }
    };

    /** Writes whole files. */
    abstract void prepare(Path directory) throws IOException;

    /** Reads them as they are now. @throws IOException that says what is wrong with them */
    abstract void read(Path directory) throws IOException;
}
